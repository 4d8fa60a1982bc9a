import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { OutgoingNetworks } from '#server/domain/outgoing-networks.ts'
import type { RevocationValues } from '#server/domain/revocation/revocation-values.ts'
import { after, type Duration, hours, type Instant, minutes, seconds } from '#server/domain/time.ts'
import { respondersFor } from '#server/domain/trust/trust-anchor.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { Clock } from '#server/ports/clock.ts'
import type { PdfWork } from '#server/ports/pdf-work.ts'
import type {
  AuthorityQuestion,
  JudgedAnswer,
  RevocationSource,
} from '#server/ports/revocation-source.ts'
import { fetchedLists } from './fetched-lists.ts'
import { postForAnswer } from './http-answer.ts'
import { judgeAnswer } from './pdf-work/judge-answer.ts'
import { questionsAbout } from './pdf-work/questions.ts'
import { unlessLate } from './unless-late.ts'

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

/** What reads certificates and the answers about them: both may be large, and slow to judge. */
export type AnswerWork = Pick<PdfWork, 'questionsAbout' | 'judgeAnswer'>

/** For a program that may wait: a server uses other threads. */
const IN_THIS_THREAD: AnswerWork = {
  questionsAbout: async (certificates, policy) => questionsAbout(certificates, policy),
  judgeAnswer: async (answer) => judgeAnswer(answer),
}

export type RevocationSourceOptions = {
  work?: AnswerWork
  memory: AnswerMemory
  networks: OutgoingNetworks
  clock: Clock
  /** For all questions of one call together. */
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
/** Of sets of certificates that were asked about last. */
const MOST_FOUND = 100

/**
 * Asks by OCSP over HTTP and keeps every answer that is proven to come from the authority. An unproven answer is
 * returned, so that a report can say why, but not kept. Without an answer, the published list of the authority is
 * fetched.
 *
 * @see RFC 6960, A.1; RFC 5280, 6.3
 */
export function createRevocationSource(options: RevocationSourceOptions): RevocationSource {
  const {
    work = IN_THIS_THREAD,
    memory,
    networks,
    clock,
    patience = seconds(5),
    rest = seconds(30),
  } = options
  const resting = new Map<string, Instant>()
  const inWork = new Map<string, Promise<Answers>>()
  const lists = fetchedLists({ clock, rest, networks, judge: work.judgeAnswer })

  /** What must be asked about certificates, as it was found last. The requests in it are spent. */
  const found = new Map<string, Found>()

  async function answersToOne(question: AuthorityQuestion, asking: Asking): Promise<Answers> {
    const key = keyOf(question)
    const kept = await memory.list(key)
    const known = kept.map(({ der }) => der)
    if (kept.some((answer) => isYoung(answer, clock.now()))) return { ocsp: known, crls: [] }
    const fresh = await ask(question, asking)
    const proven = fresh && provenBy(fresh)
    // A memory that cannot be written to costs another question, nothing else.
    if (proven) await memory.keep(key, proven).catch(() => undefined)
    return {
      ocsp: fresh ? [...known, fresh.der] : known,
      crls: proven ? [] : await lists.about(question, asking.signal),
    }
  }

  /** The first answer that says something; else the last one that came. */
  async function ask(question: AuthorityQuestion, { signal, policy }: Asking) {
    let last: Received | undefined
    for (const address of question.addresses) {
      if (signal.aborted || clock.now() < (resting.get(address) ?? 0)) continue
      const answer = await postForAnswer(address, question.request, {
        ...OCSP,
        ...{ limit: MOST_BYTES, networks, signal },
      })
      if (answer.kind === 'failed') {
        if (answer.isSlow) resting.set(address, after(clock.now(), rest))
        continue
      }
      const [at, der] = [clock.now(), answer.body]
      last = { der, at, judged: await judgedInTime(question, { der, at, policy, signal }) }
      if (last.judged?.isReadable) return last
    }
    return last
  }

  /** Undefined if it was not judged in time: the time to wait is for the answer and its judgement together. */
  async function judgedInTime(
    question: AuthorityQuestion,
    { der, at, policy, signal }: { der: Uint8Array; at: Instant } & Asking,
  ): Promise<JudgedAnswer | undefined> {
    const responders = respondersFor(question.issuer, policy.responders).map(({ der }) => der)
    const judging = work.judgeAnswer({ question, kind: 'ocsp', der, responders, now: at })
    return await unlessLate(judging, signal)
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
    return { ocsp: answers.ocsp.map(fetched), crls: [...new Set(answers.crls)].map(fetched) }
  }

  /**
   * The kept answers, if these certificates were asked about lately and nothing must be asked again: the same signer
   * signs many documents, and finding questions takes a thread.
   */
  async function keptAbout(
    id: string,
    { anchors, candidates }: VerificationPolicy,
  ): Promise<RevocationValues | undefined> {
    const known = found.get(id)
    const isCurrent = known?.anchors === anchors && known.candidates === candidates
    const age = clock.now() - (known?.at ?? 0)
    if (!known || !isCurrent || age < 0 || age >= YOUNG) return undefined
    const ocsp: Uint8Array[] = []
    for (const question of known.questions) {
      const kept = await memory.list(keyOf(question))
      if (!kept.some((answer) => isYoung(answer, clock.now()))) return undefined
      ocsp.push(...kept.map(({ der }) => der))
    }
    return { ocsp: ocsp.map(fetched), crls: [] }
  }

  function remember(id: string, asked: Found): void {
    found.delete(id)
    found.set(id, asked)
    if (found.size > MOST_FOUND) found.delete(found.keys().next().value!)
  }

  return {
    answersTo,
    async answersAbout(certificates, policy, options) {
      const id = certificates.map(sha256).join(' ')
      const kept = await keptAbout(id, policy)
      if (kept) return kept
      const questions = await work.questionsAbout(certificates, policy, options)
      const { anchors, candidates } = policy
      remember(id, { anchors, candidates, questions, at: clock.now() })
      return await answersTo(questions, policy)
    },
  }
}

/** By which authorities, and when. */
type Found = Pick<VerificationPolicy, 'anchors' | 'candidates'> & {
  questions: readonly AuthorityQuestion[]
  at: Instant
}

const fetched = (der: Uint8Array) => ({ der, source: 'fetched' as const })

const keyOf = ({ certificate, issuer }: AuthorityQuestion): AnswerKey => ({
  certificate: sha256(certificate),
  issuer: sha256(issuer),
})

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

/** An answer, when it came and what it says; without `judged` that is not known. */
type Received = { der: Uint8Array; at: Instant; judged: JudgedAnswer | undefined }

function provenBy({ der, at, judged }: Received): ProvenAnswer | undefined {
  if (!judged || judged.status === 'unknown') return undefined
  return { status: judged.status, der, fetchedAt: at, nextUpdate: judged.nextUpdate }
}
