import { AuditAction } from './event.ts'

/** Events that changed nothing: who read what is in the log, for those who may read the log. */
const LEFT_OUT: readonly AuditAction[] = [
  'document.compared',
  'document.downloaded',
  'document.previewed',
  'document.verified',
  'document.viewed',
  'signature.prepared',
  'signing-session.viewed',
]

const TOPICS: readonly string[] = [
  'constancia',
  'document',
  'presence',
  'signature',
  'signer',
  'signing-session',
]

/** What the history of a document shows of the events about it and about its signing sessions. */
export const HISTORY_ACTIONS: readonly AuditAction[] = AuditAction.options.filter(
  (action) =>
    // Of the events of numbers, the one that is about a document.
    action === 'number.taken' ||
    (TOPICS.includes(action.split('.')[0] ?? '') && !LEFT_OUT.includes(action)),
)
