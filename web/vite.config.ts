import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** The licences of what is built in go with it. */
function licences(...names: string[]): Plugin {
  const licence = (name: string) =>
    `${name}\n\n${readFileSync(new URL(`node_modules/${name}/LICENSE`, import.meta.url), "utf8").trim()}\n`;
  return {
    name: "licences",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "licences.txt", source: names.map(licence).join("\n\n") });
    },
  };
}

export default defineConfig({
  plugins: [licences("cytoscape", "uplot")],
  build: { target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0, chunkSizeWarningLimit: 500 },
  // `npm run dev` beside a running `greenkgc serve`. By number, since a bare Debian has no /etc/hosts that knows localhost.
  server: { host: "127.0.0.1", proxy: { "/v1": process.env["GREENKGC_URL"] ?? "http://127.0.0.1:8080" } },
});
