import { ApiError, currentToken, setToken } from "./api";
import { chips } from "./chips";
import { h } from "./dom";

/** What a person can do about an error that does not say so itself. */
function advice({ status, code }: ApiError): string {
  if (code === "not_possible" || code === "out_of_bounds") return "";
  switch (status) {
    case 0:
      return "Check that greenkgc serve is running and that this machine can reach it, then try again.";
    case 404:
      return "Check the spelling, or choose one of the suggestions that appear as you type.";
    case 408:
    case 429:
    case 503:
    case 504:
      return "The server may be busy. Wait a moment, then try again.";
    default:
      return "If the problem persists, see the server's log.";
  }
}

/** The labels that an unknown one may have stood for, as the server names them. */
export function meantLabels(message: string): string[] {
  const named = /; did you mean '(.*)'\?$/s.exec(message)?.[1];
  return named ? named.split("' or '") : [];
}

function fault(error: unknown): ApiError {
  console.error(error);
  return new ApiError(500, "fault", "This page has a bug: it could not show the server's response.");
}

/** An error in sentences, with the next step: `ways` out of it, if there are any. */
export function problemBox(error: unknown, again: () => void, ways: Node[] = []): HTMLElement {
  const problem = error instanceof ApiError ? error : fault(error);
  if (problem.status === 401) return tokenForm(again);
  const mayPass = problem.status === 0 || problem.status >= 500 || [408, 429].includes(problem.status);
  return h(
    "div",
    { class: "notice error", role: "alert" },
    h("p", {}, h("strong", {}, sentence(problem.message))),
    ways.length > 0 ? chips(ways) : h("p", {}, advice(problem)),
    mayPass && h("button", { type: "button", click: again }, "Try again"),
  );
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(whole) ? whole : `${whole}.`;
}

function tokenForm(again: () => void): HTMLElement {
  const before = currentToken() ? "The server rejected this token." : "This server requires a token.";
  const input = h("input", { id: "token", type: "password", autocomplete: "off", required: true });
  const submit = (event: Event) => {
    event.preventDefault();
    setToken(input.value);
    again();
  };
  return h(
    "form",
    { class: "notice", submit },
    h("p", {}, h("strong", {}, before)),
    h("p", {}, "Ask the person who runs the server for it. This page keeps it until you close the tab."),
    h("p", {}, h("label", { for: "token" }, "Token "), input, " ", h("button", { type: "submit" }, "Continue")),
  );
}

export function notice(...sentences: (string | Node)[]): HTMLElement {
  return h("div", { class: "notice" }, ...sentences.map((text) => h("p", {}, text)));
}
