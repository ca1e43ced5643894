import { spawn, type ChildProcess } from "node:child_process";

const BIN = process.env["GREENKGC_BIN"] ?? "../build/release/greenkgc";

/** A running `greenkgc serve`. */
export class Server {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  static start(model: string, { port = "0", token = "", flags: more = [] as string[] } = {}): Promise<Server> {
    const flags = ["serve", "--model", model, "--port", port, ...more];
    const env = token ? { GREENKGC_TOKEN: token } : {};
    const child = spawn(BIN, flags, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    return new Promise((resolve, reject) => {
      child.on("exit", () => reject(new Error(`greenkgc serve ended: ${said}`)));
      child.stderr!.on("data", (text: Buffer) => {
        said += text.toString();
        const url = /at (http:\/\/[\d.:]+)/.exec(said)?.[1];
        if (url) resolve(new Server(child, url));
      });
    });
  }

  get port(): string {
    return new URL(this.url).port;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      if (this.process.exitCode !== null) return resolve();
      this.process.removeAllListeners("exit").on("exit", () => resolve());
      this.process.kill("SIGTERM");
    });
  }

  async get<T>(path: string, query: Record<string, string | number | boolean>): Promise<T> {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const response = await fetch(`${this.url}/v1/${path}?${search}`);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}
