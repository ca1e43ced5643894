import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Histogram } from "./api";
import { count } from "./format";
import { colour } from "./theme";

/** Nearly all candidates are wrong: a bar is as high as the logarithm of its count. */
const barHeight = (candidates: number) => Math.log10(1 + candidates);

export interface DrawnChart {
  destroy: () => void;
}

export function drawDistribution(box: HTMLElement, histogram: Histogram, margin: number | null): DrawnChart {
  const { low, high, counts } = histogram;
  const step = (high - low) / counts.length || 1;
  const [soft, line, bars, accent] = ["soft", "line", "bar", "accent"].map(colour) as [string, string, string, string];
  const top = Math.max(...counts.map(barHeight), 1);
  const ticks = Array.from({ length: Math.ceil(top) + 1 }, (_, power) => 10 ** power).filter(
    (tick) => barHeight(tick) <= top,
  );
  const font = "11px system-ui, sans-serif";
  const mark = (plot: uPlot) => {
    if (margin === null) return;
    const x = Math.round(plot.valToPos(margin, "x", true));
    const { top: y, height } = plot.bbox;
    plot.ctx.save();
    plot.ctx.strokeStyle = accent;
    plot.ctx.lineWidth = 2 * devicePixelRatio;
    plot.ctx.beginPath();
    plot.ctx.moveTo(x, y);
    plot.ctx.lineTo(x, y + height);
    plot.ctx.stroke();
    plot.ctx.restore();
  };
  const options: uPlot.Options = {
    width: box.clientWidth,
    height: 150,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false, range: [low - step, high + step] }, y: { range: [0, top * 1.05] } },
    axes: [
      { stroke: soft, font, grid: { show: false }, ticks: { show: false }, size: 22, gap: 2 },
      {
        stroke: soft,
        font,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        size: 46,
        splits: () => ticks.map(barHeight),
        values: () => ticks.map((tick) => count(tick)),
      },
    ],
    series: [
      {},
      {
        fill: bars,
        stroke: bars,
        width: 0,
        points: { show: false },
        paths: uPlot.paths.bars!({ size: [1, Infinity], gap: 1 }),
      },
    ],
    hooks: { draw: [mark] },
  };
  const middles = counts.map((_, i) => low + (i + 0.5) * step);
  return new uPlot(options, [middles, counts.map(barHeight)], box);
}
