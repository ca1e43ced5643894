// Runs before anything is painted, so that a chosen theme does not flash.
try {
  document.documentElement.style.colorScheme = localStorage.getItem("theme") || "";
} catch {
  // Storage is forbidden here: the system's theme it is.
}
