import { data } from 'react-router'
import { DatabaseUnreachable, problemIn } from '#server/domain/installation/database-unreachable.ts'
import type { Problem, ProblemCode } from '#server/domain/problem.ts'
import { secondsToWait, sentenceOfProblem } from '#server/words/problems.ts'

type Init = { status: number; headers?: Record<string, string> }

/** A refused form: what it says, and status and headers of the response. */
export type Refused = {
  ok: false
  code: ProblemCode
  sentence: string
  init: Init
  /** The next page to read, of `pages-unread`. */
  page?: string | undefined
}

/** HTTP status by problem code; the sentences are in server/words/problems.ts. */
const STATUS: Record<ProblemCode, number> = {
  'not-signed-in': 401,
  forbidden: 403,
  'not-found': 404,
  'cross-site': 403,
  'too-many-attempts': 429,
  'password-change-needed': 403,
  'second-factor-needed': 403,
  'step-up-needed': 403,
  'link-spent': 410,
  'weak-password': 422,
  'wrong-password': 422,
  'wrong-code': 401,
  'factor-refused': 401,
  'last-factor': 409,
  'second-person-needed': 409,
  'secret-unreadable': 401,
  'account-state': 409,
  'address-taken': 409,
  'view-name-taken': 409,
  'too-many-views': 409,
  'last-administrator': 409,
  'office-taken': 409,
  'mail-state': 409,
  'bad-request': 400,
  'too-large': 413,
  'too-slow': 408,
  'verification-busy': 503,
  'disk-full': 507,
  'log-busy': 503,
  'database-unreachable': 503,
  'commit-unknown': 503,
  'files-unreachable': 503,
  'wrong-state': 409,
  'stale-version': 409,
  'document-blocked': 403,
  'retention-state': 409,
  'retention-same-person': 403,
  'arco-day-ahead': 422,
  'arco-unproven': 409,
  'arco-reason-missing': 422,
  'arco-rfc-missing': 409,
  'arco-state': 409,
  'nothing-to-copy': 409,
  'copy-day-ahead': 422,
  'copy-ordinal-taken': 409,
  'description-changed': 409,
  'file-changed': 409,
  'same-file': 409,
  'someone-signing': 409,
  'authority-for-testing': 409,
  'too-many-files': 422,
  'title-missing': 422,
  'upload-incomplete': 409,
  'too-many-uploads': 429,
  'empty-file': 422,
  'not-a-pdf': 422,
  'damaged-pdf': 422,
  'encrypted-pdf': 422,
  'change-protected-pdf': 422,
  'private-key-uploaded': 422,
  'certificate-uploaded': 422,
  'pdf-too-complex': 422,
  'signing-forbidden-by-document': 409,
  'stored-file-damaged': 500,
  'file-purged': 410,
  'archive-too-large': 413,
  'report-too-long': 413,
  'report-under-way': 409,
  'search-too-wide': 422,
  'signature-refused': 422,
  'capacity-not-in-force': 409,
  'document-final': 409,
  'stamp-place-taken': 422,
  'stamp-impossible': 409,
  'pictures-not-allowed': 409,
  'being-signed': 409,
  'downloads-disabled': 403,
  'office-suspended': 403,
  'too-many-capacity-documents': 409,
  'capacity-missing': 409,
  'never-completed': 409,
  'preparation-expired': 409,
  'preparation-superseded': 409,
  'acknowledgement-needed': 403,
  'pages-unread': 409,
  'dynamic-xfa': 422,
  'presence-needed': 403,
  'server-signing-disabled': 403,
  'timestamp-unavailable': 503,
  'no-constancia-provider': 409,
  'provider-refused': 409,
  'too-many-authorities': 409,
  'provider-network': 409,
  'session-state': 409,
  'session-overdue': 409,
  'session-over': 409,
  'session-deadline': 422,
  'session-incomplete': 422,
  'review-outdated': 409,
  'too-many-access-tokens': 409,
  'too-many-keys': 409,
  'too-many-users': 409,
  'too-many-signers': 422,
  'signer-twice': 422,
  'signer-differs': 422,
  'party-known': 409,
  'act-known': 409,
  'too-many-acts': 409,
  'number-used': 409,
  'number-explained': 409,
  'number-present': 409,
  'number-given': 409,
  'number-state': 409,
  'series-not-started': 409,
  'series-known': 409,
  'too-many-series': 409,
  'checklist-empty': 409,
  'checklist-begun': 409,
  'too-many-checklists': 409,
  'obligation-known': 409,
  'too-many-obligations': 409,
  'obligation-without-term': 409,
  'non-working-day-known': 409,
  'too-many-non-working-days': 409,
  'done-day-ahead': 422,
  'signer-signed-before': 422,
  'character-missing': 422,
  'character-refused': 422,
  'too-many-documents': 422,
  'not-a-signer': 403,
  'not-your-turn': 409,
  'already-signed': 409,
  'document-held': 409,
  'signing-link-spent': 410,
  'signing-link-over': 410,
  'signing-link-changed': 409,
  'consent-needed': 403,
  'reminded-already': 429,
  'no-address': 409,
  'yubikey-known': 409,
  'yubikey-changed': 409,
  'yubikey-state': 409,
  'credential-linked': 409,
  'too-many-attestations': 409,
  'too-many-maker-certificates': 409,
}

/** What the error page shows of a refusal. */
type ShownProblem = { code: ProblemCode; sentence: string }

/** Returns status, sentence and headers of a refusal. @see RFC 9110, 10.2.3 */
export function answerTo(problem: Problem): Init & { sentence: string } {
  const { code, retryAfter } = problem
  const answer = { status: STATUS[code], sentence: sentenceOfProblem(problem) }
  return retryAfter === undefined
    ? answer
    : { ...answer, headers: { 'Retry-After': String(secondsToWait(retryAfter)) } }
}

/** What to tell of an error. @throws the error itself if it is a fault of ours */
export function toldProblem(error: unknown): Problem {
  const problem = problemIn(error)
  if (!problem) throw error
  // The user can do nothing about it; the operator wants to know what the database or the network said.
  if (error instanceof DatabaseUnreachable) console.error({ error })
  return problem
}

/** Awaits a use case; throws a refusal as the error page with its status and sentence. */
export async function orErrorPage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const problem = toldProblem(error)
    const { sentence, ...init } = answerTo(problem)
    throw data({ code: problem.code, sentence } satisfies ShownProblem, init)
  }
}

/** Awaits a use case; returns a refusal, for a form that shows it beside its fields. */
export async function refusalOf<T>(work: Promise<T>): Promise<{ ok: true; value: T } | Refused> {
  try {
    return { ok: true, value: await work }
  } catch (error) {
    const problem = toldProblem(error)
    const { sentence, ...init } = answerTo(problem)
    const { code, kind } = problem
    return { ok: false, code, sentence, init, ...(code === 'pages-unread' && { page: kind }) }
  }
}

/**
 * Like `refusalOf`, for a form on the page of a thing that the actor may not see either: `forbidden` and `not-found`
 * are the error page. The page would ask again whether the actor may, and the log would have the refusal twice.
 */
export async function refusalOnPage<T>(
  work: Promise<T>,
): Promise<{ ok: true; value: T } | Refused> {
  const answer = await refusalOf(work)
  if (!answer.ok && HIDDEN.includes(answer.code)) await orErrorPage(work)
  return answer
}

const HIDDEN: readonly ProblemCode[] = ['forbidden', 'not-found']
