import type { KnownDocument, StoredFile } from './upload-answer.ts'
import { type CallAnswer, post, postPart } from './upload-calls.ts'

export type Sent =
  | { kind: 'stored'; document: StoredFile }
  /** It is whole on the server, and waits: the office has a document with the same content. */
  | { kind: 'known'; document: KnownDocument }
  | { kind: 'invalid'; errors: Record<string, string[] | undefined> }
  /** For good: the same file would be refused again. */
  | { kind: 'refused'; sentence: string }
  /** It may be sent again, and goes on where it stopped; the status is 0 without a connection. */
  | { kind: 'stopped'; status: number; sentence?: string | undefined }
  /** The user stopped it. */
  | { kind: 'paused' }

export type Sending = {
  /** The user of the page. */
  owner: string
  /** The fields of the document. */
  fields: FormData
  signal: AbortSignal
  onBegun(id: string): void
  /** @param bytes of this file that are on the server or on their way */
  onSent(bytes: number): void
  /**
   * Waits until a call that failed may be tried again; false if it was tried often enough.
   *
   * @param status of the call, 0 without a connection
   */
  mayRetry(attempt: number, status: number): Promise<boolean>
}

type Begun = { id: string; partBytes: number; parts: Record<string, string> }

/** How often a file is begun again because its upload is gone or its parts are of another file. */
const MOST_BEGINNINGS = 3

/**
 * Sends a file in parts, and then its fields. What the server has already is not sent again, but compared: each part by its SHA-256,
 * so that the document is this file, and never a mixture with one that had its name before.
 */
export async function sendFile(file: File, sending: Sending): Promise<Sent> {
  let last: Sent = { kind: 'stopped', status: 409 }
  for (let beginning = 0; beginning < MOST_BEGINNINGS; beginning += 1) {
    const begun = await persist(sending, () => begin(file, sending))
    if (!isCall(begun, 'begun')) return endOf(begun, sending)
    const upload = begun.data as unknown as Begun
    sending.onBegun(upload.id)
    const sent = await sendParts(file, upload, sending)
    if (typeof sent !== 'string') {
      if ('kind' in sent) return sent
      if (!isGone(sent)) return endOf(sent, sending)
      last = endOf(sent, sending)
      continue
    }
    const { fields } = sending
    fields.set('digest', sent)
    const finished = await persist(sending, () =>
      post(`/${upload.id}/finish`, fields, sending.signal),
    )
    if (isCall(finished, 'stored'))
      return { kind: 'stored', document: finished.data?.document as StoredFile }
    if (isCall(finished, 'known'))
      return { kind: 'known', document: finished.data?.document as KnownDocument }
    if (isCall(finished, 'invalid'))
      return { kind: 'invalid', errors: finished.data?.errors as Record<string, string[]> }
    last = endOf(finished, sending)
    if (!isGone(finished)) return last
  }
  return last
}

const begin = ({ name, size, lastModified }: File, { owner, signal }: Sending) =>
  post(
    '',
    new URLSearchParams({ name, bytes: `${size}`, modifiedAt: `${lastModified}`, owner }),
    signal,
  )

/** @returns the digest of all parts, or why not all were sent */
async function sendParts(
  file: File,
  { id, partBytes, parts }: Begun,
  sending: Sending,
): Promise<string | Sent | CallAnswer> {
  const digests: string[] = []
  for (let place = 0; place * partBytes < file.size; place += 1) {
    if (sending.signal.aborted) return { kind: 'paused' }
    const start = place * partBytes
    const part = file.slice(start, start + partBytes)
    const digest = await digestOf(part)
    if (!digest) return { kind: 'refused', sentence: CHANGED }
    digests.push(hex(digest))
    if (parts[place] !== hex(digest)) {
      const answer = await persist(sending, () =>
        postPart(`/${id}/parts/${place}`, part, {
          digest: btoa(String.fromCharCode(...digest)),
          signal: sending.signal,
          onSent: (bytes) => sending.onSent(start + Math.min(bytes, part.size)),
        }),
      )
      if (!isCall(answer, 'stored')) return answer
    }
    sending.onSent(start + part.size)
  }
  const whole = await digestOf(new Blob([digests.join('')]))
  return whole ? hex(whole) : { kind: 'refused', sentence: CHANGED }
}

const CHANGED =
  'El archivo cambió o ya no está en su lugar. Quítelo de la lista y elíjalo otra vez.'

/** Undefined if the browser cannot read the file any more. */
async function digestOf(part: Blob): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await crypto.subtle.digest('SHA-256', await part.arrayBuffer()))
  } catch {
    return undefined
  }
}

const hex = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Repeats a call that the network, a proxy or a server that starts again kept from us. */
async function persist(sending: Sending, call: () => Promise<CallAnswer>): Promise<CallAnswer> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await call()
    const isLost = answer.status === 0 || [408, 502, 503, 504].includes(answer.status)
    if (!isLost || sending.signal.aborted || !(await sending.mayRetry(attempt, answer.status)))
      return answer
  }
}

const isCall = ({ data }: CallAnswer, kind: string) => data?.kind === kind

/** It was discarded, it is over, or its parts are not those of this file. */
const isGone = ({ status, data }: CallAnswer) =>
  status === 404 || data?.code === 'upload-incomplete' || data?.code === 'wrong-state'

/** The file itself was refused. */
const OF_THE_FILE = [413, 422]

function endOf({ status, data }: CallAnswer, { signal }: Sending): Sent {
  if (signal.aborted) return { kind: 'paused' }
  const sentence = typeof data?.sentence === 'string' ? data.sentence : undefined
  return sentence && OF_THE_FILE.includes(status)
    ? { kind: 'refused', sentence }
    : { kind: 'stopped', status, sentence }
}
