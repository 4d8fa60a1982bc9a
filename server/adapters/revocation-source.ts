import { randomBytes } from 'node:crypto'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { OutgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { isIdOf } from '#server/domain/revocation/certificate-id.ts'
import { judgeRevocation } from '#server/domain/revocation/judge-revocation.ts'
import { ocspRequest } from '#server/domain/revocation/ocsp-request.ts'
import { ocspResponseIn } from '#server/domain/revocation/revocation-values.ts'
import { after, type Duration, hours, type Instant, minutes, seconds } from '#server/domain/time.ts'
import {
  inquiriesAbout,
  type RevocationInquiry,
} from '#server/domain/trust/revocation-inquiries.ts'
import { respondersFor } from '#server/domain/trust/trust-anchor.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { Clock } from '#server/ports/clock.ts'
import type { PdfWork } from '#server/ports/pdf-work.ts'
import type { RevocationSource } from '#server/ports/revocation-source.ts'
import { fetchedLists } from './fetched-lists.ts'
import { postForAnswer } from './http-answer.ts'

/** Which certificate, and who issued it, by fingerprint. */
export type AnswerKey = { certificate: Sha256; issuer: Sha256 }

/** An answer that was proven to be the authority's word. */
export type ProvenAnswer = {
  status: 'good' | 'revoked'
  der: Uint8Array
  fetchedAt: Instant
  nextUpdate: Instant | undefined
}

/** Where answers are kept; shared by all processes. */
export type AnswerMemory = {
  list(key: AnswerKey): Promise<readonly ProvenAnswer[]>
  keep(key: AnswerKey, answer: ProvenAnswer): Promise<void>
}

export type RevocationSourceOptions = {
  /** Plans the revocation questions about many certificates in another thread; absent in a program that may wait. */
  inquiries?: PdfWork['inquiries']
  memory: AnswerMemory
  networks: OutgoingNetworks
  clock: Clock
  /** For all inquiries of one call together. */
  patience?: Duration
  /** After a timeout an authority is not asked again for this time. */
  rest?: Duration
}

type Answers = { ocsp: Uint8Array[]; crls: Uint8Array[] }
type Asking = { signal: AbortSignal; policy: VerificationPolicy }

const MOST_BYTES = 64 * 1024
/** So long an answer is young: about as long as a report may be repeated. */
const YOUNG = minutes(5)
/** An authority that says how long its answer holds is believed for so long at most. */
const LONGEST_LIFE = hours(1)
const MOST_AT_ONCE = 4
/** Up to this many certificates, trying each as the issuer of each other takes no noticeable time. */
export const FEW = 8

/**
 * Asks by OCSP over HTTP and keeps every answer that is proven to come from the authority. An unproven answer is
 * returned, so that a report can say why, but not kept. Without an answer, the published list of the authority is
 * fetched.
 *
 * @see RFC 6960, A.1; RFC 5280, 6.3
 */
export function createRevocationSource(options: RevocationSourceOptions): RevocationSource {
  const {
    inquiries: inAnotherThread,
    memory,
    networks,
    clock,
    patience = seconds(5),
    rest = seconds(30),
  } = options
  const resting = new Map<string, Instant>()
  const inWork = new Map<string, Promise<Answers>>()
  const lists = fetchedLists({ clock, rest, networks })

  async function answersTo(inquiry: RevocationInquiry, asking: Asking): Promise<Answers> {
    const key = { certificate: sha256(inquiry.certificate.der), issuer: sha256(inquiry.issuer.der) }
    const kept = await memory.list(key)
    const known = kept.map(({ der }) => der)
    if (kept.some((answer) => isYoung(answer, clock.now()))) return { ocsp: known, crls: [] }
    const fresh = await ask(inquiry, asking.signal)
    const proven = fresh && provenAnswer(fresh, inquiry, asking.policy, clock.now())
    // A memory that cannot be written to costs another question, nothing else.
    if (proven) await memory.keep(key, proven).catch(() => undefined)
    return {
      ocsp: fresh ? [...known, fresh] : known,
      crls: proven ? [] : await lists.about(inquiry, asking.signal),
    }
  }

  /** The first answer that says something; else the last one that came. */
  async function ask({ certificate, issuer, addresses }: RevocationInquiry, signal: AbortSignal) {
    const request = ocspRequest(certificate, issuer, randomBytes(16))
    let last: Uint8Array | undefined
    for (const address of addresses) {
      if (signal.aborted || clock.now() < (resting.get(address) ?? 0)) continue
      const answer = await postForAnswer(address, request, {
        ...OCSP,
        ...{ limit: MOST_BYTES, networks, signal },
      })
      if (answer.kind === 'failed') {
        if (answer.isSlow) resting.set(address, after(clock.now(), rest))
        continue
      }
      last = answer.body
      if (ocspResponseIn(last)?.kind === 'answered') return last
    }
    return last
  }

  /** Many who ask about one certificate at once wait for one answer. */
  function answersOnce(inquiry: RevocationInquiry, asking: Asking): Promise<Answers> {
    const id = sha256(inquiry.certificate.der) + sha256(inquiry.issuer.der)
    const begun = inWork.get(id)
    if (begun) return begun
    const work = answersTo(inquiry, asking).finally(() => inWork.delete(id))
    inWork.set(id, work)
    return work
  }

  return {
    async answersAbout(certificates, policy, options = {}) {
      const inquiries =
        certificates.length > FEW && inAnotherThread
          ? await inAnotherThread(certificates, policy, options)
          : inquiriesAbout(certificates, policy)
      const signal = AbortSignal.timeout(patience)
      const answers: Answers = { ocsp: [], crls: [] }
      for (let at = 0; at < inquiries.length; at += MOST_AT_ONCE) {
        const some = inquiries.slice(at, at + MOST_AT_ONCE)
        const found = await Promise.all(
          some.map((inquiry) => answersOnce(inquiry, { signal, policy })),
        )
        answers.ocsp.push(...found.flatMap(({ ocsp }) => ocsp))
        answers.crls.push(...found.flatMap(({ crls }) => crls))
      }
      const fetched = (der: Uint8Array) => ({ der, source: 'fetched' as const })
      return { ocsp: answers.ocsp.map(fetched), crls: [...new Set(answers.crls)].map(fetched) }
    },
  }
}

const OCSP = { type: 'application/ocsp-request', expected: 'application/ocsp-response' }

/** A revocation does not grow old; a good word does. */
function isYoung({ status, fetchedAt, nextUpdate }: ProvenAnswer, now: Instant): boolean {
  if (now < fetchedAt) return false
  if (status === 'revoked') return now < after(fetchedAt, LONGEST_LIFE)
  const end = Math.max(
    after(fetchedAt, YOUNG),
    Math.min(nextUpdate ?? 0, after(fetchedAt, LONGEST_LIFE)),
  )
  return now < end
}

function provenAnswer(
  der: Uint8Array,
  { certificate, issuer }: RevocationInquiry,
  policy: VerificationPolicy,
  now: Instant,
): ProvenAnswer | undefined {
  const evidence = { ocsp: [{ der, source: 'fetched' as const }], crls: [] }
  const { status } = judgeRevocation({
    certificate,
    issuer,
    evidence,
    candidates: [],
    responders: respondersFor(issuer, policy.responders),
    at: now,
    now,
  })
  if (status === 'unknown') return undefined
  const response = ocspResponseIn(der)
  const single =
    response?.kind === 'answered'
      ? response.responses.find(({ id }) => isIdOf(id, certificate, issuer))
      : undefined
  return { status, der, fetchedAt: now, nextUpdate: single?.nextUpdate }
}
