// SPDX-License-Identifier: BSD-3-Clause
#include "python/bindings/events.h"

namespace sturm::python {

void PythonEvents::told(const char* kind, const std::string& text, double done, double total) {
  if (tell_.is_none() || stopped_) return;
  const nb::gil_scoped_acquire gil;
  try {
    tell_(kind, text, done, total);
  } catch (nb::python_error& error) {
    if (error.matches(PyExc_KeyboardInterrupt) && std::this_thread::get_id() == caller_) {
      error.restore();
      stop();
    } else {
      error.discard_as_unraisable("telling how the work goes");
    }
  }
}

bool PythonEvents::look() {
  if (std::this_thread::get_id() != caller_ || stopped_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return false;
  last_ = now;
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) stop();
  return !stopped_;
}

}  // namespace sturm::python
