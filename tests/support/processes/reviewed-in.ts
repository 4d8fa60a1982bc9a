/** What the page of a review names, for the form that opens the session; empty if the page is another. */
export const reviewedIn = (page: string): string =>
  /name="reviewed" value="([0-9a-f]{64})"/.exec(page)?.[1] ?? ''
