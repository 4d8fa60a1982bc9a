/** Sent to every open page after a source of the pages has changed. */
export const changeEvent = 'rubrica:changed'
