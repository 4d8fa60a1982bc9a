import { setTimeout as pause } from 'node:timers/promises'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { DamagedStream } from '#server/domain/age/stream.ts'
import { Problem } from '#server/domain/problem.ts'
import { Instant, seconds } from '#server/domain/time.ts'
import { isMissing, missingFile } from './missing.ts'

/** A bucket, and how to reach it. What is left out comes from the usual variables and files of AWS. */
export type S3Place = {
  bucket: string
  /** In front of all keys; empty, or ends in a slash. */
  prefix: string
  /** The bucket is in the path of the address and not in its host name. */
  isPathStyle: boolean
  endpoint?: string
  region?: string
  credentials?: { accessKeyId: string; secretAccessKey: string }
}

export type StoredObject = { key: string; writtenAt: Instant }

/** The objects of one place, each request tried again with growing, random pauses. All throw {Problem} `files-unreachable`. */
export type S3Objects = Awaited<ReturnType<typeof openObjects>>

/**
 * Of each request. A store that refuses is given up within some ten seconds, one that accepts connections and stays silent
 * within minutes.
 */
const TRIES = 7
const RETRY_AFTER = seconds(30)
/** Limits of one request, in ms. */
type Patience = {
  /** Until there is a connection. */
  connectionTimeout: number
  /** While nothing is sent or received. */
  socketTimeout: number
  /** Until the answer begins, even if bytes still trickle. */
  requestTimeout: number
}
const PATIENCE: Patience = {
  connectionTimeout: 5000,
  socketTimeout: 30_000,
  requestTimeout: 300_000,
}

/** @param name of the place, for errors */
export async function openObjects(place: S3Place, name: string, patience: Patience = PATIENCE) {
  // Only an installation that uses it loads it: it takes half a second.
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client(settingsOf(place, patience))
  const at = (key: string) => ({ Bucket: place.bucket, Key: place.prefix + key })

  async function asked<T>(what: string, work: Promise<T>): Promise<T> {
    return await work.catch((error) => {
      throw unreachable(error, `${name}: ${what}`)
    })
  }

  /** @throws {Error} `ENOENT`. @throws {DamagedStream} if the object has no such bytes */
  async function bodyOf(key: string, start: number, end: number) {
    const Range = `bytes=${start}-${end - 1}`
    const answer = client.send(new sdk.GetObjectCommand({ ...at(key), Range })).catch((error) => {
      if (statusOf(error) === 416) throw new DamagedStream(`it ends before ${end}`)
      throw isAbsent(error) ? missingFile(key) : error
    })
    const { ContentRange = '', Body } = await asked(`GET ${key}`, answer)
    // A server that knows no ranges would send the whole object.
    const size = Number(/^bytes \d+-\d+\/(\d+)$/.exec(ContentRange)?.[1])
    if (!Body || Number.isNaN(size)) throw unreachable('the answer is no range', `${name}: ${key}`)
    if (size < end) throw new DamagedStream(`it has ${size} bytes`)
    return { size, pieces: Body as AsyncIterable<Uint8Array> }
  }

  return {
    /** In bytes; undefined if it is missing. */
    async size(key: string): Promise<number | undefined> {
      const found = await asked(
        `HEAD ${key}`,
        client.send(new sdk.HeadObjectCommand(at(key))).catch(unlessAbsent),
      )
      return found?.ContentLength
    },
    /**
     * Fills `target` with the bytes from `start` on, and goes on where a connection broke.
     *
     * @returns the size of the whole object
     * @throws {Error} `ENOENT`. @throws {DamagedStream}
     */
    async fill(key: string, target: Uint8Array, start: number): Promise<number> {
      let done = 0
      for (let failures = 0; ; ) {
        const { size, pieces } = await bodyOf(key, start + done, start + target.length)
        const before = done
        try {
          for await (const piece of pieces) {
            target.set(piece, done)
            done += piece.length
          }
          if (done === target.length) return size
          throw new Error(`the answer ended after ${done} of ${target.length} bytes`)
        } catch (error) {
          failures = done > before ? 1 : failures + 1
          if (failures === TRIES) throw unreachable(error, `${name}: GET ${key}`)
          await pause(jitter(failures))
        }
      }
    },
    /** A small object; undefined if it is missing. */
    async read(key: string): Promise<string | undefined> {
      const answer = client.send(new sdk.GetObjectCommand(at(key))).catch(unlessAbsent)
      return await asked(
        `GET ${key}`,
        answer.then((found) => found?.Body?.transformToString()),
      )
    },
    /** Durable once it returns. */
    async put(key: string, bytes: Uint8Array): Promise<void> {
      const put = new sdk.PutObjectCommand({ ...at(key), Body: bytes, ContentLength: bytes.length })
      await asked(`PUT ${key}`, client.send(put))
    },
    /**
     * The same for an object of several parts, of which only the last is smaller than 5 MiB. Nothing is left if this throws, unless
     * the store cannot be reached either to abort it.
     *
     * @param upload sends the part with this number, from 1 on; its bytes must not change meanwhile
     */
    async putParts(
      key: string,
      upload: (send: (number: number, bytes: Uint8Array) => Promise<void>) => Promise<void>,
    ): Promise<void> {
      const what = `PUT ${key}`
      const created = client.send(new sdk.CreateMultipartUploadCommand(at(key)))
      const { UploadId } = await asked(what, created)
      const whole = { ...at(key), UploadId }
      const parts: { PartNumber: number; ETag: string | undefined }[] = []
      try {
        await upload(async (PartNumber, bytes) => {
          const part = { ...whole, PartNumber, Body: bytes, ContentLength: bytes.length }
          const { ETag } = await asked(what, client.send(new sdk.UploadPartCommand(part)))
          parts.push({ PartNumber, ETag })
        })
        const Parts = parts.toSorted((one, other) => one.PartNumber - other.PartNumber)
        const end = { ...whole, MultipartUpload: { Parts } }
        const completed = client.send(new sdk.CompleteMultipartUploadCommand(end))
        await asked(
          what,
          completed.then(() => {}, unlessCompleted),
        )
      } catch (error) {
        await client.send(new sdk.AbortMultipartUploadCommand(whole)).catch(() => {})
        throw error
      }
    },
    /** Does nothing if it is gone. */
    async remove(key: string): Promise<void> {
      const gone = client.send(new sdk.DeleteObjectCommand(at(key))).catch(unlessAbsent)
      await asked(`DELETE ${key}`, gone)
    },
    /** Those whose keys begin so. */
    async *list(beginning: string): AsyncGenerator<StoredObject> {
      const asking = { Bucket: place.bucket, Prefix: place.prefix + beginning }
      let ContinuationToken: string | undefined
      do {
        const page = await asked(
          `LIST ${beginning}`,
          client.send(new sdk.ListObjectsV2Command({ ...asking, ContinuationToken })),
        )
        for (const { Key = '', LastModified } of page.Contents ?? [])
          yield {
            key: Key.slice(place.prefix.length),
            writtenAt: Instant.parse(LastModified?.getTime() ?? 0),
          }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
    },
  }
}

/** Not all servers have the newer checksums. The signature of each request covers the SHA-256 of what it sends, which all compare. */
function settingsOf(
  { isPathStyle, endpoint, region, credentials }: S3Place,
  patience: Patience,
): S3ClientConfig {
  return {
    forcePathStyle: isPathStyle,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Its standard mode pauses between tries for a random time, which doubles each time.
    ...{ retryMode: 'standard', maxAttempts: TRIES },
    requestHandler: { ...patience, throwOnRequestTimeout: true },
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    ...(credentials && { credentials }),
  }
}

/** In ms. */
const jitter = (failures: number) => Math.random() * 100 * 2 ** failures

const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode

/** A missing bucket is no missing object. */
const isAbsent = (error: unknown) =>
  statusOf(error) === 404 && !(error instanceof Error && error.name === 'NoSuchBucket')

function unlessAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error
  return undefined
}

/** A try before this one has put it together, and its answer was lost. */
function unlessCompleted(error: unknown): void {
  if (!(error instanceof Error && error.name === 'NoSuchUpload')) throw error
}

/** What the store has answered about the object stays as it is. */
function unreachable(error: unknown, what: string): unknown {
  if (error instanceof DamagedStream || isMissing(error)) return error
  const status = statusOf(error) === undefined ? '' : `${statusOf(error)} `
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return new Problem('files-unreachable', `${what}: ${status}${reason}`, {
    cause: error,
    retryAfter: RETRY_AFTER,
  })
}
