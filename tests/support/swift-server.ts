import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { S3Place } from '#server/adapters/blobs/s3-objects.ts'
import { findProgram, JUDGES, type Judge } from './machine.ts'

/** The key that may do everything, as the filter `tempauth` is told below. */
const ACCESS = { accessKeyId: 'test:tester', secretAccessKey: 'testing' }
const REGION = 'us-east-1'

export type SwiftServer = {
  /** As in AWS_ENDPOINT_URL_S3. */
  endpoint: string
  /** A bucket with a prefix, which no other test uses. @param endpoint of a proxy in front of it */
  newPlace(endpoint?: string): Promise<S3Place>
  /** The variables that the library of AWS reads. */
  access: Record<string, string>
  /** Those with which Rúbrica uses the place. */
  variables(place: S3Place): Record<string, string>
}

const KINDS = ['account', 'container', 'object'] as const

/** OpenStack Swift, which speaks S3, in a folder of its own, which is removed with it. */
export async function startSwift(): Promise<{ server: SwiftServer; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-swift-'))
  const host = ownLoopback()
  const processes: ChildProcess[] = []
  const end = () => {
    for (const one of processes) one.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', end)
  try {
    mkdirSync(join(folder, 'devices/d1'), { recursive: true })
    writeFileSync(join(folder, 'swift.conf'), SWIFT_CONF)
    for (const one of [...KINDS, 'proxy'] as const) mustBeInstalled(PROGRAMS[one])
    await makeRings(folder, host)
    for (const [index, kind] of KINDS.entries()) {
      const address = { host, port: PORT + 1 + index }
      writeFileSync(join(folder, `${kind}-server.conf`), storageConf(folder, kind, address))
      processes.push(startPart(folder, kind))
    }
    writeFileSync(join(folder, 'proxy-server.conf'), proxyConf(folder, host))
    processes.push(startPart(folder, 'proxy'))
    const endpoint = `http://${host}:${PORT}`
    await answering(endpoint, processes)
    return {
      server: serverAt(endpoint),
      async stop() {
        process.off('exit', end)
        const gone = processes.map((one) => new Promise((resolve) => one.once('exit', resolve)))
        for (const one of processes) one.kill('SIGKILL')
        await Promise.all(gone)
        end()
      },
    }
  } catch (error) {
    end()
    throw error
  }
}

const PORT = 8080

/**
 * A loopback address that no other run uses. Swift shares a port with each server that already listens there, so that a free
 * port could belong to two.
 */
const ownLoopback = () => `127.${[...randomBytes(3)].map((byte) => 1 + (byte % 254)).join('.')}`

/** One Python for all three, because it takes seconds to start; that of Debian, which has the packages of Swift. */
const RINGS = `
import sys
from swift.common.ring import RingBuilder
host, first = sys.argv[1], int(sys.argv[2])
for index, kind in enumerate(['account', 'container', 'object']):
    builder = RingBuilder(4, 1, 1)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': host, 'port': first + index, 'device': 'd1', 'weight': 1.0, 'meta': ''})
    builder.rebalance()
    builder.get_ring().save(kind + '.ring.gz')
`

async function makeRings(folder: string, host: string): Promise<void> {
  const child = spawn('/usr/bin/python3', ['-c', RINGS, host, String(PORT + 1)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (piece) => {
    complaint += piece
  })
  const code = await new Promise((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  )
  if (code !== 0) throw new Error(`the rings of Swift were not made: ${complaint}`)
}

const PROGRAMS = {
  account: 'swift-account-server',
  container: 'swift-container-server',
  object: 'swift-object-server',
  proxy: 'swift-proxy-server',
} as const

function startPart(folder: string, kind: keyof typeof PROGRAMS): ChildProcess {
  const configuration = join(folder, `${kind}-server.conf`)
  return spawn(PROGRAMS[kind], [configuration], { cwd: folder, stdio: 'ignore' })
}

function mustBeInstalled(program: Judge): void {
  if (!findProgram(program))
    throw new Error(`${program} is not installed: apt-get install ${JUDGES[program]}`)
}

const SWIFT_CONF = `[swift-hash]
swift_hash_path_suffix = rubrica
swift_hash_path_prefix = tests
`

type Address = { host: string; port: number }

const storageConf = (folder: string, kind: string, { host, port }: Address) => `[DEFAULT]
devices = ${join(folder, 'devices')}
mount_check = false
bind_ip = ${host}
bind_port = ${port}
workers = 0
swift_dir = ${folder}
recon_cache_path = ${folder}
fallocate_reserve = 0
user = ${process.env.USER ?? 'root'}
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`

const proxyConf = (folder: string, host: string) => `[DEFAULT]
bind_ip = ${host}
bind_port = ${PORT}
workers = 0
swift_dir = ${folder}
user = ${process.env.USER ?? 'root'}
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# The parts do not answer yet while they start.
error_suppression_limit = 1000000
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = ${REGION}
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin .reseller_admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`

/** The first object needs all parts. */
async function answering(endpoint: string, processes: readonly ChildProcess[]): Promise<void> {
  let last: unknown
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (processes.some(({ exitCode }) => exitCode !== null)) throw new Error('Swift ended')
    try {
      // A new one each time: one that was made halfway is refused.
      const first = { endpoint, bucket: `first-${attempt}` }
      await createBucket(first)
      return await putObject(first)
    } catch (error) {
      last = error
      await pause(100)
    }
  }
  throw new Error('Swift does not answer', { cause: last })
}

type Bucket = { endpoint: string; bucket: string }

async function createBucket({ endpoint, bucket }: Bucket): Promise<void> {
  await clientOf(endpoint).send(new CreateBucketCommand({ Bucket: bucket }))
}

async function putObject({ endpoint, bucket }: Bucket): Promise<void> {
  await clientOf(endpoint).send(new PutObjectCommand({ Bucket: bucket, Key: 'first', Body: 'x' }))
}

const clientOf = (endpoint: string) =>
  new S3Client({
    ...{ endpoint, region: REGION, credentials: ACCESS, forcePathStyle: true, maxAttempts: 1 },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    requestHandler: { requestTimeout: 5000, throwOnRequestTimeout: true },
  })

function serverAt(endpoint: string): SwiftServer {
  let buckets = 0
  return {
    endpoint,
    async newPlace(through = endpoint) {
      buckets += 1
      const bucket = `notaria-${buckets}`
      await createBucket({ endpoint, bucket })
      return {
        ...{ bucket, prefix: 'archivos/', isPathStyle: true },
        ...{ endpoint: through, region: REGION, credentials: ACCESS },
      }
    },
    access: {
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: ACCESS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: ACCESS.secretAccessKey,
    },
    variables: ({ bucket, prefix, endpoint: through = endpoint }) => ({
      BLOBS_URL: `s3://${bucket}/${prefix}`,
      AWS_ENDPOINT_URL_S3: through,
    }),
  }
}
