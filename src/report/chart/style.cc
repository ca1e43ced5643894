#include "report/chart/chart.h"
#include "report/chart/page.h"

namespace greenkgc::report {
namespace {

// Eight hues that differ in lightness too, so that they can be told apart in grey and by most colour-blind
// eyes.
constexpr const char* kColorRules =
    ":root{--ink:#1c2126;--soft:#5d6772;--line:#d9dee3;--back:#ffffff;--card:#f6f8f9;--accent:#1f7a4d;"
    "--c0:#1f6fc4;--c1:#d9661f;--c2:#12836a;--c3:#b5357f;--c4:#8a6a00;--c5:#6548c7;--c6:#4b8b1e;--c7:#6b7280}"
    "@media screen and (prefers-color-scheme:dark){:root{--ink:#e6e9ec;--soft:#a2acb6;--line:#39424b;"
    "--back:#15191d;--card:#1d2328;--accent:#5cc795;"
    "--c0:#6eb0f5;--c1:#f39a5e;--c2:#45c9ab;--c3:#ee86bf;--c4:#e0b848;--c5:#ab98f5;--c6:#93d063;--c7:#a9b1bc}"
    "}";

constexpr const char* kChart =
    ".chart{display:block;width:100%;height:auto;font:12px system-ui,sans-serif}"
    ".chart text{fill:var(--soft)}.chart .key,.chart .title{fill:var(--ink)}"
    ".chart .title{font-size:14px;font-weight:600}"
    ".chart .tick{font-variant-numeric:tabular-nums}"
    ".grid{stroke:var(--line);stroke-width:1}.axis{stroke:var(--soft);stroke-width:1}"
    ".cut{stroke:var(--soft);stroke-width:1;stroke-dasharray:3 3;fill:none}"
    ".line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}.dashed{stroke-dasharray:5 4}"
    ".back{fill:var(--back)}"
    ".c0{--c:var(--c0)}.c1{--c:var(--c1)}.c2{--c:var(--c2)}.c3{--c:var(--c3)}"
    ".c4{--c:var(--c4)}.c5{--c:var(--c5)}.c6{--c:var(--c6)}.c7{--c:var(--c7)}"
    ".line{stroke:var(--c)}.dot,.bar{fill:var(--c)}";

constexpr const char* kPage =
    "*{box-sizing:border-box}"
    "body{margin:0;background:var(--back);color:var(--ink);font:15px/1.5 system-ui,sans-serif;"
    "-webkit-text-size-adjust:100%}"
    "main{max-width:1080px;margin:0 auto;padding:20px 16px 60px}"
    "h1{font-size:1.7rem;line-height:1.2;margin:.4em 0 .1em;overflow-wrap:anywhere}"
    "h2{font-size:1.2rem;margin:2.2em 0 .6em;padding-top:.8em;border-top:1px solid var(--line)}"
    "h3{font-size:.95rem;margin:1.4em 0 .4em}"
    "p{margin:.4em 0;max-width:75ch}.soft{color:var(--soft);font-size:.9rem}"
    ".tiles,.stages{display:grid;gap:10px;grid-template-columns:repeat(auto-fit,minmax(118px,1fr));margin:"
    "14px 0}"
    ".tile,.stage{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px 12px}"
    ".tile b{display:block;font-size:1.5rem;line-height:1.3;font-variant-numeric:tabular-nums}"
    ".tile span,.stage span{overflow-wrap:anywhere;display:block;color:var(--soft);font-size:.82rem}"
    ".stages{grid-template-columns:repeat(auto-fit,minmax(165px,1fr))}"
    ".stage{border-top:3px solid var(--accent)}.stage b{display:block}"
    ".charts{display:grid;gap:18px 22px;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr))}"
    "figure{margin:0;min-width:0;break-inside:avoid;max-width:560px}"
    "figcaption{font-size:.88rem;font-weight:600;margin-bottom:4px}"
    "figcaption small{font-weight:400;color:var(--soft);font-size:.82rem}"
    ".wide{overflow-x:auto;margin:.6em 0}"
    "table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}"
    "th,td{padding:4px 8px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap;"
    "vertical-align:top}"
    "th{color:var(--soft);font-weight:600;vertical-align:bottom}"
    "td.t,th.t{text-align:left}td.w{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:min("
    "20ch,30vw)}"
    "td.long{min-width:min(60ch,75vw)}"
    "tbody tr:hover{background:var(--card)}"
    ".stack td.long{min-width:32ch}"
    "@media screen and (max-width:640px){.stack thead{display:none}"
    ".stack tr{display:block;padding:5px 0;border-bottom:1px solid var(--line)}"
    ".stack td{display:inline-block;min-width:0;padding:1px 10px 1px 0;border:0}"
    ".stack td.long{display:block;min-width:0;color:var(--soft)}}"
    "details{margin:.4em 0}summary{cursor:pointer;color:var(--accent)}"
    "code{font:.86em ui-monospace,monospace;overflow-wrap:anywhere}"
    "footer{margin-top:3em;border-top:1px solid var(--line);padding-top:.8em}"
    "@media print{main{max-width:none;padding:0}body{font-size:10.5pt}h2{break-after:avoid}"
    "tr,.tile,.stage{break-inside:avoid}.charts{grid-template-columns:1fr 1fr}.wide{overflow:visible}"
    "th,td{white-space:normal;padding:2px 6px}"
    ".tile,.stage{background:none}}";

}  // namespace

std::string chart_style() {
  return std::string(kColorRules) + kChart;
}

std::string page_style() {
  return chart_style() + kPage;
}

}  // namespace greenkgc::report
