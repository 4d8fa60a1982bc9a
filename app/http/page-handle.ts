/** What a page says about itself to what stands around it. */
export type PageHandle = {
  /** Whether React runs in the browser; without it the page ships no script but its own island. */
  hydrate?: true
  /**
   * Whether all strangers are given the same page: it follows from its address and its data alone, which are
   * plain JSON. It is rendered once then.
   */
  isShared?: true
  /** The name in the top bar of the dashboard; "Dashboard" without it. */
  label?: string
}
