import { after, type Instant, seconds } from './time.ts'

/** How long an action can be undone. Pages offer it for ten seconds; the rest is for a slow network. */
export const UNDO_ACCEPTED = seconds(20)

/**
 * `undone` also if it was undone before: a form that is sent twice. `changed`: another tab or person changed the same thing
 * since, and keeps it.
 */
export type UndoOutcome = 'undone' | 'too-late' | 'changed'

export const canUndo = (doneAt: Instant, now: Instant): boolean =>
  now < after(doneAt, UNDO_ACCEPTED)
