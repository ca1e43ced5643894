import type { Histogram } from "./api";
import { drawDistribution } from "./distribution";
import { h, show } from "./dom";
import { standing } from "./histogram";
import { Panel } from "./panel";
import { onThemeChange } from "./theme";

/** How the scores of all candidates are spread, and where one answer stands among them. */
export class SpreadPanel extends Panel {
  private redraw = () => {};

  constructor() {
    super("spread");
    show(this.title, "Scores of all candidates");
    onThemeChange(() => this.redraw());
    window.addEventListener("resize", () => this.redraw());
  }

  draw(histogram: Histogram | undefined, margin: number | null): void {
    this.hidden = !histogram;
    if (!histogram) return;
    const box = h("div", { class: "chart", "aria-hidden": "true" });
    const words = margin === null ? "" : `${standing(histogram, margin)} `;
    show(this.body, box, h("p", { class: "soft" }, `${words}Bars count candidates by their score, in log-odds.`));
    let chart = drawDistribution(box, histogram, margin);
    this.redraw = () => {
      if (!box.isConnected || this.hidden) return;
      chart.destroy();
      chart = drawDistribution(box, histogram, margin);
    };
  }
}
