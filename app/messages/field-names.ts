/* Names that pages and forms share. */

/** The name of the checkboxes of a list of documents, and of the query parameter of the pages that take the chosen ones. */
export const CHOSEN = 'document'
