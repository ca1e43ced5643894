import { defineConfig } from "vite";

export default defineConfig({
  build: { target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0, chunkSizeWarningLimit: 500 },
  // `npm run dev` beside a running `greenkgc serve`.
  server: { proxy: { "/v1": process.env["GREENKGC_URL"] ?? "http://127.0.0.1:8080" } },
});
