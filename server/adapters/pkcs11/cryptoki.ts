import koffi, { type TypeObject } from 'koffi'

/*
 * The functions of a PKCS#11 module that we need, called directly. Whatever a module does with memory that is
 * not its own ends this process and no other: only `worker.ts` may load this.
 *
 * @see PKCS #11 Base Specification 2.40; 3.0
 */

/** What a function of the module answered instead of CKR_OK. */
export class CryptokiError extends Error {
  override readonly name = 'CryptokiError'
  /** The CK_RV. */
  readonly value: number

  constructor(name: string, value: number) {
    super(`${name} said 0x${value.toString(16)}`)
    this.value = value
  }
}

export const CKU = { user: 1, contextSpecific: 2 } as const
export const CKO = { certificate: 1, privateKey: 3 } as const
export const CKA = {
  class: 0x0,
  label: 0x3,
  value: 0x11,
  keyType: 0x100,
  id: 0x102,
  modulus: 0x120,
  alwaysAuthenticate: 0x202,
} as const
export const CKM = { rsaPkcs: 0x1, sha256RsaPkcs: 0x40 } as const
export const CKF = {
  protectedAuthenticationPath: 0x100,
  tokenInitialized: 0x400,
  userPinFinalTry: 0x20000,
  userPinLocked: 0x40000,
} as const
const CKF_SERIAL_SESSION = 0x4
const CKR_OK = 0
const CKR_ATTRIBUTE_SENSITIVE = 0x11
const CKR_ATTRIBUTE_TYPE_INVALID = 0x12
const CKR_ALREADY_INITIALIZED = 0x191

const isWindows = process.platform === 'win32'
/** On Windows the structures of PKCS#11 have no gaps. @see PKCS #11 Base Specification 2.40, 2.1 */
const struct = isWindows ? koffi.pack : koffi.struct
const ATTRIBUTE = struct('CK_ATTRIBUTE', { type: 'ulong', pValue: 'void *', ulValueLen: 'ulong' })
const MECHANISM = struct('CK_MECHANISM', {
  mechanism: 'ulong',
  pParameter: 'void *',
  ulParameterLen: 'ulong',
})
const ULONG_BYTES = koffi.sizeof('ulong')
const POINTER_BYTES = koffi.sizeof('void *')
/** The list begins with a version of two octets. */
const FIRST_FUNCTION = isWindows ? 2 : POINTER_BYTES

type Parameter = string | TypeObject | ReturnType<typeof koffi.inout>

/** Where each stands in the list, and what it takes. */
const FUNCTIONS = {
  C_Initialize: [0, ['void *']],
  C_GetSlotList: [4, ['uchar', 'void *', 'void *']],
  C_GetTokenInfo: [6, ['ulong', 'void *']],
  C_GetMechanismList: [7, ['ulong', 'void *', 'void *']],
  C_OpenSession: [12, ['ulong', 'ulong', 'void *', 'void *', 'void *']],
  C_Login: [18, ['ulong', 'ulong', 'void *', 'ulong']],
  C_GetAttributeValue: [24, ['ulong', 'ulong', koffi.inout(koffi.pointer(ATTRIBUTE)), 'ulong']],
  C_FindObjectsInit: [26, ['ulong', koffi.pointer(ATTRIBUTE), 'ulong']],
  C_FindObjects: [27, ['ulong', 'void *', 'ulong', 'void *']],
  C_FindObjectsFinal: [28, ['ulong']],
  C_SignInit: [42, ['ulong', koffi.pointer(MECHANISM), 'ulong']],
  C_Sign: [43, ['ulong', 'void *', 'ulong', 'void *', 'void *']],
} as const satisfies Record<string, readonly [number, readonly Parameter[]]>

export type TokenInfo = { label: string; serial: string; flags: number }
export type Handle = bigint
export type Cryptoki = ReturnType<typeof loadCryptoki>

/** The module, initialized. @throws {Error} when it is no library; {CryptokiError} when it does not start */
export function loadCryptoki(file: string) {
  const call = functionsOf(file)
  const started = call('C_Initialize', null)
  if (started !== CKR_OK && started !== CKR_ALREADY_INITIALIZED)
    throw new CryptokiError('C_Initialize', started)
  const must = (name: keyof typeof FUNCTIONS, ...args: unknown[]): void => {
    const value = call(name, ...args)
    if (value !== CKR_OK) throw new CryptokiError(name, value)
  }

  /** Asks for the count first, then for as many. */
  function list(name: 'C_GetSlotList' | 'C_GetMechanismList', first: number | Handle): bigint[] {
    const count = ulongs(1)
    must(name, first, null, count)
    const values = ulongs(Number(readUlong(count)))
    if (readUlong(count) > 0n) must(name, first, values, count)
    return Array.from({ length: Number(readUlong(count)) }, (_, at) => readUlong(values, at))
  }

  /** The octets of an attribute; undefined where the object has none or does not show it. */
  function attribute(session: Handle, object: Handle, type: number): Buffer | undefined {
    const asked = [{ type, pValue: null, ulValueLen: 0 }]
    const value = call('C_GetAttributeValue', session, object, asked, 1)
    if (value === CKR_ATTRIBUTE_SENSITIVE || value === CKR_ATTRIBUTE_TYPE_INVALID) return undefined
    if (value !== CKR_OK) throw new CryptokiError('C_GetAttributeValue', value)
    const length = Number(asked[0]?.ulValueLen)
    // Of an attribute that cannot be had some modules say so by its length alone.
    if (!Number.isSafeInteger(length) || length < 0 || length > MOST_ATTRIBUTE_BYTES)
      return undefined
    const octets = Buffer.alloc(length)
    if (length > 0)
      must(
        'C_GetAttributeValue',
        session,
        object,
        [{ type, pValue: octets, ulValueLen: length }],
        1,
      )
    return octets
  }

  return {
    /** Those with a token in them. */
    slots: () => list('C_GetSlotList', 1),
    mechanisms: (slot: Handle) => list('C_GetMechanismList', slot).map(Number),
    tokenInfo(slot: Handle): TokenInfo {
      const info = Buffer.alloc(512)
      must('C_GetTokenInfo', slot, info)
      const text = (start: number, end: number) =>
        info.subarray(start, end).toString('utf8').replace(/\0.*$/s, '').trimEnd()
      const flags = Number(readUlong(info.subarray(96)))
      return { label: text(0, 32), serial: text(80, 96), flags }
    },
    openSession(slot: Handle): Handle {
      const session = ulongs(1)
      must('C_OpenSession', slot, CKF_SERIAL_SESSION, null, null, session)
      return readUlong(session)
    },
    /** @param pin null when the token has a keypad of its own */
    login(session: Handle, user: number, pin: Buffer | null): void {
      must('C_Login', session, user, pin, pin?.length ?? 0)
    },
    objects(session: Handle, kind: number): Handle[] {
      const wanted = ulongs(1)
      writeUlong(wanted, kind)
      const template = [{ type: CKA.class, pValue: wanted, ulValueLen: ULONG_BYTES }]
      must('C_FindObjectsInit', session, template, 1)
      const found = ulongs(MOST_OBJECTS)
      const count = ulongs(1)
      must('C_FindObjects', session, found, MOST_OBJECTS, count)
      must('C_FindObjectsFinal', session)
      return Array.from({ length: Number(readUlong(count)) }, (_, at) => readUlong(found, at))
    },
    attribute,
    signInit(session: Handle, mechanism: number, key: Handle): void {
      must('C_SignInit', session, { mechanism, pParameter: null, ulParameterLen: 0 }, key)
    },
    sign(session: Handle, bytes: Uint8Array): Uint8Array {
      const signature = Buffer.alloc(MOST_SIGNATURE_BYTES)
      const length = ulongs(1)
      writeUlong(length, signature.length)
      must('C_Sign', session, Buffer.from(bytes), bytes.length, signature, length)
      return new Uint8Array(signature.subarray(0, Number(readUlong(length))))
    },
  }
}

const MOST_ATTRIBUTE_BYTES = 64 * 1024
const MOST_OBJECTS = 256
const MOST_SIGNATURE_BYTES = 1024

function functionsOf(file: string) {
  const library = koffi.load(file)
  const getFunctionList = library.func('C_GetFunctionList', 'ulong', [
    koffi.out(koffi.pointer('void *')),
  ])
  const list: unknown[] = [null]
  const answered = Number(getFunctionList(list))
  if (answered !== CKR_OK) throw new CryptokiError('C_GetFunctionList', answered)
  const callable = new Map<string, (...args: unknown[]) => unknown>()
  for (const [name, [index, parameters]] of Object.entries(FUNCTIONS)) {
    const offset = FIRST_FUNCTION + index * POINTER_BYTES
    const pointer = koffi.decode(list[0], offset, 'void *')
    callable.set(name, koffi.decode(pointer, koffi.proto('ulong', [...parameters])))
  }
  return (name: keyof typeof FUNCTIONS, ...args: unknown[]): number =>
    Number(callable.get(name)?.(...args))
}

const ulongs = (count: number) => Buffer.alloc(Math.max(count, 1) * ULONG_BYTES)

function readUlong(buffer: Buffer, index = 0): bigint {
  const at = index * ULONG_BYTES
  return ULONG_BYTES === 8 ? buffer.readBigUInt64LE(at) : BigInt(buffer.readUInt32LE(at))
}

function writeUlong(buffer: Buffer, value: number): void {
  if (ULONG_BYTES === 8) buffer.writeBigUInt64LE(BigInt(value))
  else buffer.writeUInt32LE(value)
}
