import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { OutgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { isIdOf } from '#server/domain/revocation/certificate-id.ts'
import { judgeRevocation } from '#server/domain/revocation/judge-revocation.ts'
import { ocspResponseIn, type RevocationValues } from '#server/domain/revocation/revocation-values.ts'
import { after, type Duration, hours, type Instant, minutes, seconds } from '#server/domain/time.ts'
import { respondersFor } from '#server/domain/trust/trust-anchor.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import type { Clock } from '#server/ports/clock.ts'
import type { PdfWork } from '#server/ports/pdf-work.ts'
import type { AuthorityQuestion, RevocationSource } from '#server/ports/revocation-source.ts'
import { fetchedLists } from './fetched-lists.ts'
import { postForAnswer } from './http-answer.ts'
import { questionsAbout } from './pdf-work/questions.ts'

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
  /** Finds the questions about certificates in another thread; absent in a program that may wait. */
  questionsAbout?: PdfWork['questionsAbout']
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

/**
 * Asks by OCSP over HTTP and keeps every answer that is proven to come from the authority. An unproven answer is
 * returned, so that a report can say why, but not kept. Without an answer, the published list of the authority is
 * fetched.
 *
 * @see RFC 6960, A.1; RFC 5280, 6.3
 */
export function createRevocationSource(options: RevocationSourceOptions): RevocationSource {
  const {
    questionsAbout: find = async (...asked) => questionsAbout(...asked),
    memory,
    networks,
    clock,
    patience = seconds(5),
    rest = seconds(30),
  } = options
  const resting = new Map<string, Instant>()
  const inWork = new Map<string, Promise<Answers>>()
  const lists = fetchedLists({ clock, rest, networks })

  async function answersToOne(question: AuthorityQuestion, asking: Asking): Promise<Answers> {
    const key = { certificate: sha256(question.certificate), issuer: sha256(question.issuer) }
    const kept = await memory.list(key)
    const known = kept.map(({ der }) => der)
    if (kept.some((answer) => isYoung(answer, clock.now()))) return { ocsp: known, crls: [] }
    const fresh = await ask(question, asking.signal)
    const proven = fresh && provenAnswer(fresh, question, asking.policy, clock.now())
    // A memory that cannot be written to costs another question, nothing else.
    if (proven) await memory.keep(key, proven).catch(() => undefined)
    return {
      ocsp: fresh ? [...known, fresh] : known,
      crls: proven ? [] : await lists.about(question, asking.signal),
    }
  }

  /** The first answer that says something; else the last one that came. */
  async function ask({ request, addresses }: AuthorityQuestion, signal: AbortSignal) {
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
  function answersOnce(question: AuthorityQuestion, asking: Asking): Promise<Answers> {
    const id = sha256(question.certificate) + sha256(question.issuer)
    const begun = inWork.get(id)
    if (begun) return begun
    const work = answersToOne(question, asking).finally(() => inWork.delete(id))
    inWork.set(id, work)
    return work
  }

  async function answersTo(
    questions: readonly AuthorityQuestion[],
    policy: VerificationPolicy,
  ): Promise<RevocationValues> {
    const signal = AbortSignal.timeout(patience)
    const answers: Answers = { ocsp: [], crls: [] }
    for (let at = 0; at < questions.length; at += MOST_AT_ONCE) {
      const some = questions.slice(at, at + MOST_AT_ONCE)
      const found = await Promise.all(
        some.map((question) => answersOnce(question, { signal, policy })),
      )
      answers.ocsp.push(...found.flatMap(({ ocsp }) => ocsp))
      answers.crls.push(...found.flatMap(({ crls }) => crls))
    }
    const fetched = (der: Uint8Array) => ({ der, source: 'fetched' as const })
    return { ocsp: answers.ocsp.map(fetched), crls: [...new Set(answers.crls)].map(fetched) }
  }

  return {
    answersTo,
    answersAbout: async (certificates, policy, options) =>
      await answersTo(await find(certificates, policy, options), policy),
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
  question: AuthorityQuestion,
  policy: VerificationPolicy,
  now: Instant,
): ProvenAnswer | undefined {
  const certificate = readCertificate(question.certificate)
  const issuer = readCertificate(question.issuer)
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
