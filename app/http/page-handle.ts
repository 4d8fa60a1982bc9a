/** Facts of a page for the frames around it. */
export type PageHandle = {
  /** Whether React runs in the browser; without it the page ships only its island. */
  hydrate?: true
  /**
   * Whether the page is the same for every visitor: it depends on its address and its loader data (plain
   * JSON) alone, so it is rendered once.
   */
  isShared?: true
  /** The title in the dashboard's top bar; "Dashboard" if absent. */
  label?: string
}
