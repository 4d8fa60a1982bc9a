import { type Duration, minutes, seconds } from '#server/domain/time.ts'
import { isIssuedBy } from '#server/domain/trust/issued-by.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { findingsInList } from './findings-in-lists.ts'
import { findingsInResponse } from './findings-in-responses.ts'
import {
  type Finding,
  REVOCATION_DOUBTS,
  type RevocationDoubt,
  type RevocationJudgement,
  type RevocationQuestion,
  type Statement,
} from './question.ts'
import { gravestOf } from './reason.ts'
import type { RevocationAnswer } from './revocation-values.ts'

/** Answers of the SAT are over after a minute; a proof of time comes somewhat later than the signature. */
const DEFAULT_TOLERANCE: Duration = minutes(60)

/** Clocks differ: what is said to be from the near future is from now. */
const CLOCK_SKEW = seconds(300)

const MOST_ANSWERS = 500

/**
 * Whether the certificate was revoked at the time of the question, by every answer at hand that is proven to
 * be the authority's word. One that says `revoked` outweighs any number that say `good`. Never throws for
 * what the bytes hold.
 *
 * An answer counts for a time in the past when it was made after it, or was not over by then. A revocation
 * after the time of the question leaves the certificate good at that time, and is told.
 *
 * @see RFC 5280, 6.3; RFC 6960, 3.2; ETSI EN 319 102-1 V1.3.1, 5.2.5 and 5.2.6
 */
export function judgeRevocation(asked: RevocationQuestion): RevocationJudgement {
  const { ocsp, crls } = asked.evidence
  const question = { ...asked, evidence: { ocsp: bounded(ocsp), crls: bounded(crls) } }
  const findings = findingsFor(question)
  const statements = findings.filter((finding) => typeof finding !== 'string')
  const doubts: RevocationDoubt[] = findings.filter((finding) => typeof finding === 'string')
  const past = statements.filter(({ thisUpdate }) => thisUpdate <= question.now + CLOCK_SKEW)
  if (past.length < statements.length) doubts.push('from-the-future')
  // Clocks may differ, a revocation stands: only a good word has to be from the past.
  const revocation = firstRevocation(statements, question)
  if (revocation && revocation.at <= question.at)
    return { status: 'revoked', ...originOf(revocation.by), ...toldOf(revocation) }
  const good = past.filter((statement) => isGoodFor(statement, question, doubts)).sort(newestFirst)
  const best = good[0]
  if (best) return { status: 'good', ...originOf(best), ...toldOf(revocation) }
  return {
    status: 'unknown',
    source: null,
    checkedAt: null,
    ...toldOf(revocation),
    why: weightiest(doubts),
  }
}

function findingsFor(question: RevocationQuestion): Finding[] {
  const { certificate, issuer, evidence } = question
  // An answer names a certificate by its issuer's key: for another issuer it would be about a stranger.
  if (!isIssuedBy(certificate, issuer)) return []
  return [
    ...evidence.ocsp.flatMap((answer) => findingsInResponse(answer, question)),
    ...evidence.crls.flatMap((answer) => findingsInList(answer, question)),
  ]
}

/** What we asked for ourselves first: no file pushes it out by the number of answers that it brings. */
function bounded(answers: readonly RevocationAnswer[]): RevocationAnswer[] {
  const from = (wanted: RevocationAnswer['source']) =>
    answers.filter(({ source }) => source === wanted)
  return [...from('fetched'), ...from('embedded')].slice(0, MOST_ANSWERS)
}

type Revocation = Extract<Statement['says'], { kind: 'revoked' }> & { by: Statement }

/**
 * The earliest revocation that is for good, or a hold that was in force at `at`; else a later one. The gravest word
 * says why, old or new: an authority may learn later that the key was stolen, and its next answer may keep silent.
 */
function firstRevocation(
  statements: readonly Statement[],
  { at, certificate }: RevocationQuestion,
): Revocation | undefined {
  const telling = statements.filter((statement) => !doesForget(statement, certificate))
  const revocations = statements
    .flatMap((by) => (by.says.kind === 'revoked' ? [{ ...by.says, by }] : []))
    .filter((revocation) => revocation.at > at || at < endOf(revocation, telling))
  const [first] = revocations.toSorted((a, b) => a.at - b.at)
  return first && { ...first, reason: gravestOf(revocations.map(({ reason }) => reason)) }
}

/** A hold ends with the first word that the certificate is good again; everything else never ends. */
function endOf({ reason, by }: Revocation, statements: readonly Statement[]): number {
  if (reason !== 'certificateHold') return Number.POSITIVE_INFINITY
  return statements
    .filter(({ says, isWeak }) => says.kind === 'good' && !isWeak)
    .map(({ thisUpdate }) => thisUpdate as number)
    .filter((time) => time > by.thisUpdate)
    .reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY)
}

/** Whether the statement earns a `good` at the time of the question; why not goes to `doubts`. */
function isGoodFor(
  statement: Statement,
  { at, certificate, tolerance = DEFAULT_TOLERANCE }: RevocationQuestion,
  doubts: RevocationDoubt[],
): boolean {
  const { says, thisUpdate, nextUpdate, isWeak } = statement
  const doubt = (why: RevocationDoubt) => {
    doubts.push(why)
    return false
  }
  if (isWeak) return doubt('weak-algorithm')
  const end = Math.max(nextUpdate ?? thisUpdate, thisUpdate + tolerance)
  if (thisUpdate < at && end < at) return doubt('stale')
  if (says.kind === 'revoked') return says.at > at
  if (doesForget(statement, certificate)) return doubt('expired-certificates-forgotten')
  return true
}

/** Whether it was made when the certificate had expired, by an authority that then says no more of it. */
function doesForget({ thisUpdate, expiredSince }: Statement, { notAfter }: Certificate): boolean {
  const isKept = expiredSince !== undefined && expiredSince <= notAfter
  return thisUpdate > notAfter && !isKept
}

const newestFirst = (a: Statement, b: Statement) => b.thisUpdate - a.thisUpdate

const originOf = ({ kind, source, thisUpdate }: Statement) => ({
  source: source === 'embedded' ? ('embedded' as const) : kind,
  checkedAt: thisUpdate,
})

const toldOf = (revocation: Revocation | undefined) => ({
  revokedAt: revocation?.at ?? null,
  reason: revocation?.reason ?? null,
})

function weightiest(doubts: readonly RevocationDoubt[]): RevocationDoubt {
  return REVOCATION_DOUBTS.findLast((doubt) => doubts.includes(doubt)) ?? 'no-answer'
}
