// Reading a file in a folder that is not trusted: a name may turn out to be a named pipe that never
// ends, a device whose opening does something, or far too large.
#pragma once

#include <sys/file.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/result.h"

namespace symbols::files {

// Whether a path may lead through symbolic links. With `refuse`, for a path that is absolute and normal, no
// part of it may be one, whenever it became one: what is opened lies where the path says.
enum class Symlinks { follow, refuse };

// The bytes of the regular file `path`, at most `limit` of them. Nothing but a regular file is ever opened,
// and no open or read of it can wait for another process. Errors, each naming `name`, or `path` as it was
// given: what the system said, that it is something else than a file, that it is larger than `limit`. A
// message carries the name's own bytes; printing escapes them.
Result<std::string> read_regular_file(const std::string& path, std::size_t limit,
                                      Symlinks symlinks = Symlinks::follow, const std::string& name = {});

// The same file, open for reading, of any size. Errors: as above, of `name`, or of `path` if that is empty.
Result<Descriptor> open_regular_file(const std::string& path, Symlinks symlinks = Symlinks::follow,
                                     const std::string& name = {});

// The bytes of the open descriptor `fd` (a pipe, a terminal, a file; it may be non-blocking) up to its end.
// Stays open. `name` is what errors call it. Errors: as above.
Result<std::string> read_descriptor(int fd, const std::string& name, std::size_t limit);

// Writes all of `text` to a regular file, whose writes are not interrupted. False, with errno: not all of it.
bool write_all(const Descriptor& file, std::string_view text);

// Locks the open file or folder (flock; `operation`: LOCK_EX for this process alone, or LOCK_SH), waiting for
// other runs of this program; closing the descriptor unlocks it. False: it cannot be locked, or others have
// held it for `limit`.
bool lock_within(int descriptor, milliseconds limit, int operation = LOCK_EX);

// The Error for the failed system call that left `code` in errno: "cannot <attempt> <name>: <reason>", with
// what a person can do about it.
Error system_error(const std::string& attempt, const std::string& name, int code);

}  // namespace symbols::files
