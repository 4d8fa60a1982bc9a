/* Shipped to the browser. */

/** The name of the checkboxes of a list, and of the query parameter of the pages that take the chosen documents. */
export const CHOSEN = 'document'

/** Most documents that are chosen in a list at once: a page of it. */
export const MOST_CHOSEN = 50
