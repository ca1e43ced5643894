import { h } from "./dom";

const system = window.matchMedia("(prefers-color-scheme: dark)");
const changed = new EventTarget();

function isDark(): boolean {
  const chosen = document.documentElement.style.colorScheme;
  return chosen ? chosen === "dark" : system.matches;
}

export function themeButton(): HTMLElement {
  const button = h("button", { type: "button", class: "theme", click: () => choose(isDark() ? "light" : "dark") });
  const name = () => {
    button.textContent = isDark() ? "☀" : "☾";
    button.setAttribute("aria-label", isDark() ? "Light colors" : "Dark colors");
  };
  changed.addEventListener("change", name);
  name();
  return button;
}

/** The system's own choice is no choice of ours: choosing it again forgets. */
function choose(theme: "light" | "dark"): void {
  const own = (theme === "dark") === system.matches ? "" : theme;
  document.documentElement.style.colorScheme = own;
  try {
    if (own) localStorage.setItem("theme", own);
    else localStorage.removeItem("theme");
  } catch {
    // Storage is forbidden: it lasts as long as the page.
  }
  changed.dispatchEvent(new Event("change"));
}

system.addEventListener("change", () => changed.dispatchEvent(new Event("change")));

/** Calls when colors have changed, for pictures that are not drawn by CSS. */
export function onThemeChange(redraw: () => void): void {
  changed.addEventListener("change", redraw);
}

/** A color of style.css as a canvas wants it. */
export function colour(name: string): string {
  const probe = h("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}
