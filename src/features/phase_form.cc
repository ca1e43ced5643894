#include "features/phase_form.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace greenkgc::features {
namespace {

constexpr std::array<std::pair<PhaseForm, std::string_view>, 2> kPhaseForms = {
    {{PhaseForm::kAngle, "angle"}, {PhaseForm::kCosSin, "cos-sin"}}};

}  // namespace

void set_phase_form(tensors::SafetensorsWriter& writer, PhaseForm form) {
  for (const auto& [known, name] : kPhaseForms) {
    if (known == form) writer.set_metadata("phase_form", std::string(name));
  }
}

PhaseForm read_phase_form(const tensors::SafetensorsFile& file) {
  for (const auto& [form, name] : kPhaseForms) {
    if (file.metadata_value("phase_form") == name) return form;
  }
  file.fail(fmt::format("metadata phase_form must be angle or cos-sin, not {}",
                        in_quotes(file.metadata_value("phase_form"))));
}

}  // namespace greenkgc::features
