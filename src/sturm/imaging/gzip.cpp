// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/gzip.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

#include "sturm/core/error.h"
#include "sturm/core/files.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t chunk = std::size_t{1} << 16;
constexpr std::size_t most_at_once = std::size_t{1} << 30;  // zlib and read() count in 32 bits

}  // namespace

Index most_inflated(Index compressed) {
  constexpr Index ratio = 1032;
  constexpr Index most = std::numeric_limits<Index>::max();
  return compressed > most / ratio ? most : compressed * ratio;
}

ReadableFile::ReadableFile(const fs::path& file)
    : name_((require_regular_file(file), file.string())),
      handle_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat facts {};
  if (handle_ < 0 || ::fstat(handle_, &facts) != 0) {
    const std::string why = std::strerror(errno);
    if (handle_ >= 0) ::close(handle_);
    throw Error({name_}, "cannot be opened (" + why + "); check the path and its permissions.");
  }
  if (!S_ISREG(facts.st_mode)) {
    ::close(handle_);
    throw Error({name_}, "is not a regular file; name the file of a volume.");
  }
  bytes_ = facts.st_size;
}

ReadableFile::~ReadableFile() { ::close(handle_); }

Index ReadableFile::read(std::span<std::byte> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    const ssize_t got = ::read(handle_, to.data() + done, std::min(to.size() - done, most_at_once));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw Error({name_}, std::string("cannot be read (") + std::strerror(errno) + "); check the disk it lies on.");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return static_cast<Index>(done);
}

Index ReadableFile::skip(Index count) {
  const Index at = ::lseek(handle_, 0, SEEK_CUR), left = std::max<Index>(0, bytes_ - at);
  const Index by = std::min(count, left);
  ::lseek(handle_, at + by, SEEK_SET);
  return by;
}

void ReadableFile::rewind() { ::lseek(handle_, 0, SEEK_SET); }

struct ByteStream::Inflater {
  z_stream state{};
  std::array<std::byte, chunk> input;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled before it is read
  bool first_member = true, between_members = false;

  Inflater() {
    if (::inflateInit2(&state, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { ::inflateEnd(&state); }
};

ByteStream::ByteStream(const fs::path& file) : file_(file) {
  std::array<std::byte, 2> start{};
  gzip_ = file_.read(start) == 2 && start[0] == std::byte{0x1f} && start[1] == std::byte{0x8b};
  file_.rewind();
  if (gzip_) inflater_ = std::make_unique<Inflater>();
}

ByteStream::~ByteStream() = default;

void ByteStream::refill() {
  z_stream& z = inflater_->state;
  if (z.avail_in > 0) return;
  z.next_in = reinterpret_cast<Bytef*>(inflater_->input.data());
  z.avail_in = static_cast<uInt>(file_.read(inflater_->input));
}

/// What follows a member: another one, zeros up to the end, or nothing.
bool ByteStream::next_member() {
  constexpr Index far_enough = Index{16} << 20;  // a sparse file could be padded for terabytes
  z_stream& z = inflater_->state;
  refill();
  for (Index zeros = 0; z.avail_in > 0 && *z.next_in == 0; ++zeros) {
    if (zeros == far_enough) return false;
    padded_ = true;
    --z.avail_in;
    ++z.next_in;
    refill();
  }
  if (z.avail_in == 0) return false;
  if (padded_)
    throw Error({file_.name()},
                "has other bytes after the end of its gzip data and the zeros behind it; copy it again.");
  ::inflateReset(&z);
  inflater_->first_member = false;
  return true;
}

/// Inflates into `to` until something has come out or the stream has ended.
Index ByteStream::inflate_some(std::span<std::byte> to) {
  z_stream& z = inflater_->state;
  while (!ended_) {
    if (inflater_->between_members) {
      inflater_->between_members = false;
      if (!next_member()) {
        ended_ = true;
        break;
      }
    }
    refill();
    const auto room = static_cast<uInt>(std::min(to.size(), most_at_once));
    z.next_out = reinterpret_cast<Bytef*>(to.data());
    z.avail_out = room;
    const bool no_input = z.avail_in == 0;
    const uLong begun = z.total_in;
    const int code = ::inflate(&z, Z_NO_FLUSH);
    const Index came = static_cast<Index>(room) - static_cast<Index>(z.avail_out);
    if (code == Z_STREAM_END) {
      inflater_->between_members = true;
    } else if (code == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      if (!inflater_->first_member && begun == 0)
        throw Error({file_.name()}, "has bytes after the end of its gzip data that are no gzip data; copy it again.");
      throw Error({file_.name()}, std::string("its gzip data are damaged (") + (z.msg ? z.msg : "preset dictionary") +
                                      "); copy or download it again.");
    } else if (no_input && came == 0) {
      throw Error({file_.name()}, "its gzip data break off before their end; copy or download it again.");
    }
    if (came > 0) return came;
  }
  return 0;
}

Index ByteStream::read(std::span<std::byte> to) {
  if (!gzip_) return file_.read(to);
  std::size_t done = 0;
  while (done < to.size()) {
    const Index came = inflate_some(to.subspan(done));
    if (came == 0) break;
    done += static_cast<std::size_t>(came);
  }
  return static_cast<Index>(done);
}

Index ByteStream::skip(Index count) {
  if (!gzip_) return file_.skip(count);
  std::vector<std::byte> scratch(std::min(static_cast<std::size_t>(count), chunk));
  Index done = 0;
  while (done < count) {
    const Index got = read(std::span(scratch).first(std::min(static_cast<std::size_t>(count - done), chunk)));
    if (got == 0) break;
    done += got;
  }
  return done;
}

bool inflate_whole(const fs::path& file, std::span<std::byte> out) {
  ReadableFile source(file);
  // Nobody's compressor makes a file an eighth longer: such a one has something else in it, and is not worth the
  // memory.
  if (source.bytes() > static_cast<Index>(out.size() + out.size() / 8) + (Index{1} << 16)) return false;
  const auto input = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(source.bytes()));
  std::span<std::byte> in(input.get(), static_cast<std::size_t>(source.bytes()));
  in = in.first(static_cast<std::size_t>(source.read(in)));
  return inflate_bytes({reinterpret_cast<const char*>(in.data()), in.size()}, out);
}

}  // namespace sturm
