#include "cli/written_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include "cli/display.h"
#include "cli/table.h"

namespace greenkgc::cli {

namespace {

struct WrittenFile {
  std::string path;
  std::uintmax_t bytes;
};

std::vector<WrittenFile> written_files(const std::vector<std::filesystem::path>& paths) {
  std::vector<WrittenFile> files;
  for (const auto& path : paths) {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    files.push_back({path.string(), error ? 0 : bytes});  // a device has no size
  }
  return files;
}

}  // namespace

std::string output_path(const std::string& out) {
  return out == "-" ? "/dev/stdout" : out;
}

bool is_standard_output(const std::string& path) {
  struct stat one {};
  struct stat other {};
  return ::stat(path.c_str(), &one) == 0 && ::fstat(STDOUT_FILENO, &other) == 0 &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

std::string written_text(const std::vector<std::filesystem::path>& paths) {
  Table table({{"", Column::Kind::kText}, {""}});
  for (const WrittenFile& file : written_files(paths))
    table.add({file.path, short_amount(static_cast<double>(file.bytes), "bytes")});
  return "Written\n" + table.text(terminal_columns(STDOUT_FILENO));
}

Json written_json(const std::vector<std::filesystem::path>& paths) {
  Json json = Json::array();
  for (const WrittenFile& file : written_files(paths))
    json.push_back({{"path", file.path}, {"bytes", file.bytes}});
  return json;
}

}  // namespace greenkgc::cli
