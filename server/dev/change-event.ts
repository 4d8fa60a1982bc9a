/** Sent to the open pages after every change of a source of theirs. */
export const changeEvent = 'rubrica:changed'
