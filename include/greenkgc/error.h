#pragma once

#include <stdexcept>
#include <string>

#include "greenkgc/export.h"

namespace greenkgc {

enum class ErrorCode {
  kUsage,        // wrong flag, value or combination
  kBadInput,     // a file or label that is not what it should be
  kCorrupt,      // a file of ours that is damaged
  kUnsupported,  // a file that is newer than this program, or a machine that lacks something
  kIo,           // the system refused: permission, disk full, read error
  kInterrupted,  // Ctrl-C, or the caller asked to stop
};

// The one exception of the library. The message is one sentence for people: what is wrong, where (path and
// line or byte), what was expected, and what to do where that helps.
class GREENKGC_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace greenkgc
