import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { judge } from '#tests/support/judges.ts'

export const TEST_PIN = '482913'
const SO_PIN = '87654321'

/** Paths of the SoftHSM 2 library in the distributions. */
const PLACES = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/lib64/pkcs11/libsofthsm2.so',
]

/** The library of SoftHSM 2: a PKCS#11 module whose tokens are folders. */
export function softHsmModule(): string {
  const found = PLACES.find((place) => existsSync(place))
  if (!found) throw new Error('SoftHSM 2 is not installed: apt-get install softhsm2')
  return found
}

export type SoftToken = {
  module: string
  /** The file that the variable SOFTHSM2_CONF names. */
  configuration: string
  /** In which the tokens are. */
  folder: string
}

export type SoftTokenRequest = {
  label?: string
  /** Its objects; a certificate may be without its key and a key without its certificate. */
  objects?: readonly {
    efirma: Pick<Efirma, 'certificate' | 'keyPair'>
    /** Hexadecimal; of the key alone when `certificateId` is another. */
    id?: string
    certificateId?: string
    label?: string
    without?: 'key' | 'certificate'
    /** The key asks for the PIN before each signature, as slot 9c of a PIV card does. */
    asksAlways?: boolean
  }[]
  /** As `slots.mechanisms` of SoftHSM takes them. */
  mechanisms?: string
}

/** A folder with one token; the caller removes it. */
export function makeSoftToken(home: string, request: SoftTokenRequest = {}): SoftToken {
  const { label = 'notaria', objects = [], mechanisms = 'ALL' } = request
  const folder = path.join(home, 'tokens')
  const configuration = path.join(home, 'softhsm2.conf')
  mkdirSync(folder, { recursive: true })
  const configure = (allowed: string) =>
    writeFileSync(
      configuration,
      `directories.tokendir = ${folder}\nobjectstore.backend = file\nlog.level = ERROR\nslots.mechanisms = ${allowed}\n`,
    )
  configure('ALL')
  const token = { module: softHsmModule(), configuration, folder }
  withConfiguration(configuration, () => {
    must(
      'softhsm2-util',
      '--init-token',
      '--free',
      '--label',
      label,
      '--pin',
      TEST_PIN,
      '--so-pin',
      SO_PIN,
    )
    for (const object of objects) putObject(token, home, label, object)
  })
  configure(mechanisms)
  return token
}

function putObject(
  { module }: SoftToken,
  home: string,
  token: string,
  object: NonNullable<SoftTokenRequest['objects']>[number],
) {
  const { efirma, id = '01', label = 'firma', without, asksAlways } = object
  const file = path.join(home, 'object.der')
  const put = (type: string, der: Uint8Array, objectId: string, more: string[] = []) => {
    writeFileSync(file, der)
    must(
      'pkcs11-tool',
      ...['--module', module, '--token-label', token, '--login', '--pin', TEST_PIN],
      ...['--write-object', file, '--type', type, '--id', objectId, '--label', label, ...more],
    )
    rmSync(file)
  }
  if (without !== 'certificate') put('cert', efirma.certificate.der, object.certificateId ?? id)
  if (without === 'key') return
  const key = efirma.keyPair.privateKey.export({ type: 'pkcs8', format: 'der' })
  put('privkey', key, id, ['--usage-sign', ...(asksAlways ? ['--always-auth'] : [])])
}

function must(program: 'softhsm2-util' | 'pkcs11-tool', ...args: string[]): void {
  const { status, output, errors } = judge(program)(...args)
  if (status !== 0) throw new Error(`${program}: ${output}${errors}`)
}

function withConfiguration(configuration: string, use: () => void): void {
  const before = process.env.SOFTHSM2_CONF
  process.env.SOFTHSM2_CONF = configuration
  try {
    use()
  } finally {
    if (before === undefined) delete process.env.SOFTHSM2_CONF
    else process.env.SOFTHSM2_CONF = before
  }
}

/** Flags of a token, as its maker's module keeps them. @see PKCS #11 Base Specification 2.40, 3.2 */
export const TOKEN_FLAGS = { userPinFinalTry: 0x20000, userPinLocked: 0x40000 } as const

/** SoftHSM does not count wrong PINs; its token file is edited instead. */
export function setTokenFlags({ folder }: SoftToken, flags: number): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name, 'token.object')
    const bytes = readFileSync(file)
    const at = bytes.indexOf(TOKEN_FLAGS_ATTRIBUTE) + TOKEN_FLAGS_ATTRIBUTE.length
    bytes.writeBigUInt64BE(bytes.readBigUInt64BE(at) | BigInt(flags), at)
    writeFileSync(file, bytes)
  }
}

/** CKA_OS_TOKENFLAGS of SoftHSM (vendor attribute), followed by the kind of its value: a number. */
const TOKEN_FLAGS_ATTRIBUTE = Buffer.from('000000008000534b0000000000000002', 'hex')
