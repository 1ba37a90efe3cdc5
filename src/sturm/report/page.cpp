// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/page.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "sturm/core/error.h"
#include "sturm/core/files.h"

namespace sturm {
namespace {

constexpr std::string_view study_place = "<!--STURM-STUDY-->", volumes_place = "<!--STURM-VOLUMES-->";

std::size_t only_place(std::string_view page, std::string_view what) {
  const auto at = page.find(what);
  if (at == std::string_view::npos || page.find(what, at + 1) != std::string_view::npos)
    throw Error("the page of the report has no single " + std::string(what) + "; build web/ again.");
  return at;
}

bool is_id(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

}  // namespace

std::string empty_page() {
  if (const char* const file = std::getenv("STURM_PAGE"); file != nullptr && *file != '\0') {
    try {
      return read_file(file);
    } catch (const Error& error) {
      throw Error(std::string(error.what()) + " STURM_PAGE names the page of the report.");
    }
  }
  const std::string_view page = embedded_page();
  if (page.empty())
    throw Error(
        "this copy of sturm was built without the page of the report; install npm, run `npm ci && npm run "
        "build` in web/, and build sturm again.");
  return std::string(page);
}

std::string inert_json(const nlohmann::ordered_json& value) {
  const std::string plain = value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string out;
  out.reserve(plain.size() + plain.size() / 16);
  // These stand inside strings alone: JSON itself has none of them.
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else if (plain.compare(i, 3, "\xe2\x80\xa8") == 0 || plain.compare(i, 3, "\xe2\x80\xa9") == 0) {
      out += plain[i + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else
      out += c;
  }
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned block = 0;
    for (std::size_t n = 0; n < 3; ++n)
      block = block << 8 | (n < count ? static_cast<unsigned char>(bytes[i + n]) : 0U);
    for (std::size_t n = 0; n < 4; ++n) out += n <= count ? letters[block >> (18 - 6 * n) & 63U] : '=';
  }
  return out;
}

std::string fill_page(std::string_view page, const nlohmann::ordered_json& study, const std::vector<PageFile>& volumes,
                      const std::vector<PageFile>& pictures, const std::vector<PageFile>& figures) {
  const std::size_t at_study = only_place(page, study_place), at_volumes = only_place(page, volumes_place);
  const std::string json = "<script type=\"application/json\" id=\"study\">" + inert_json(study) + "</script>";
  std::string all;
  for (const auto& [kind, files] :
       {std::pair{"picture-", &pictures}, std::pair{"volume-", &volumes}, std::pair{"figure-", &figures}})
    for (const auto& [id, text] : *files) {
      if (!is_id(id)) throw std::logic_error("fill_page: '" + id + "' is no id");
      all.append("<script type=\"text/plain\" id=\"").append(kind).append(id).append("\">");
      all.append(text).append("</script>\n");
    }
  std::string out;
  out.reserve(page.size() + json.size() + all.size());
  const auto [first, second] = std::minmax(at_study, at_volumes);
  const bool study_first = at_study < at_volumes;
  const std::string &early = study_first ? json : all, &late = study_first ? all : json;
  const std::size_t early_end = first + (study_first ? study_place : volumes_place).size();
  const std::size_t late_end = second + (study_first ? volumes_place : study_place).size();
  out.append(page.substr(0, first)).append(early).append(page.substr(early_end, second - early_end));
  return out.append(late).append(page.substr(late_end));
}

}  // namespace sturm
