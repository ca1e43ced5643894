import { describe, expect, it } from "vitest";
import { address, ask, asked, completed, newFacts, parseRoute } from "./route";

describe("address", () => {
  it("comes back as the same route, whatever the labels", () => {
    const labels = ["Norway", "a b&c=d", "?", "%41", "#", "http://example.org/x?y=1#z", "日本", "+"];
    for (const label of labels) {
      const route = { ...ask({ head: label, relation: label }), answer: label, k: 50, known: false };
      expect(parseRoute(address(route).slice(1))).toEqual(route);
    }
    const facts = { ...newFacts({ relation: "a&b", type: "?", entity: "#" }), gaps: true, atLeast: 0.5, k: 200 };
    expect(parseRoute(address(facts).slice(1))).toEqual(facts);
    expect(parseRoute(address({ view: "model" }).slice(1))).toEqual({ view: "model" });
  });

  it("says only what is not so anyway", () => {
    expect(address(ask({}))).toBe("/");
    expect(address(ask({ head: "Norway", relation: "borders" }))).toBe("/?head=Norway&relation=borders");
    expect(address(newFacts({ relation: "borders" }))).toBe("/?view=new&relation=borders");
  });
});

describe("parseRoute", () => {
  it("leaves out what cannot be meant", () => {
    expect(parseRoute("?view=elsewhere&k=-1")).toEqual(ask({}));
    expect(parseRoute("?k=many&known=perhaps")).toEqual(ask({}));
    expect(parseRoute("?view=new&min=2&k=1e9")).toEqual(newFacts({}));
  });
});

describe("a question", () => {
  it("asks for the one part that is open", () => {
    expect(asked(ask({ head: "a", relation: "r" }))).toBe("tail");
    expect(asked(ask({ relation: "r", tail: "b" }))).toBe("head");
    expect(asked(ask({ head: "a", tail: "b" }))).toBe("relation");
    expect(asked(ask({ head: "a" }))).toBeNull();
    expect(asked(ask({ head: "a", relation: "r", tail: "b" }))).toBeNull();
  });

  it("becomes a fact by its answer", () => {
    expect(completed(ask({ head: "a", tail: "b" }), "r")).toEqual({ head: "a", relation: "r", tail: "b" });
    expect(completed(ask({ head: "a", relation: "r", tail: "b" }), "c")).toEqual({
      head: "a",
      relation: "r",
      tail: "b",
    });
  });
});
