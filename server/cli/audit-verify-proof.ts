import { createReadStream } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import {
  type InclusionProof,
  parseInclusionProofs,
  provenHead,
} from '#server/domain/audit/inclusion-proof.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import type { TreeHead } from '#server/domain/audit/merkle-tree.ts'
import { readKey } from './audit-verify.ts'
import { complain, say, sayJson } from './output.ts'
import { readArguments, UsageError } from './usage.ts'

/** Far more than needed: a proof has two kilobytes. */
const FILE_LIMIT = 64 << 20

type Checked = {
  proof: InclusionProof
  /** Undefined if the proof is not valid. */
  head: TreeHead | undefined
  /** Undefined if no events were given. */
  isOfEvent: boolean | undefined
}

/**
 * `rubrica audit verify-proof FILE`: checks that events are in the signed log; with the events from an evidence
 * package, also that the proofs are about them. Works offline.
 *
 * @returns 0 if every proof is valid, 2 if a file could not be opened, else 1
 * @throws {UsageError}
 */
export async function auditVerifyProof(args: string[], workingFolder: string): Promise<number> {
  const { values, positionals } = readArguments(args, COMMANDS['audit verify-proof'].options)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0 || !values.key)
    throw new UsageError('Falta el archivo de la prueba o la llave con que se comprueba (--key).')
  const keys = values.key.map(readKey)
  const events =
    values.events === undefined ? undefined : leavesIn(await read(values.events, workingFolder))
  const proofs = parseInclusionProofs(await read(file, workingFolder))
  if (!proofs) {
    complain(`En ${file} no hay una prueba que se pueda leer.`)
    return 1
  }
  const checked = proofs.map((proof) => ({
    proof,
    head: provenHead(proof, keys),
    isOfEvent: events?.has(proof.leaf),
  }))
  for (const one of checked) values.json ? sayJson(factsOf(one)) : say(describe(one))
  return checked.every(({ head, isOfEvent }) => head && isOfEvent !== false) ? 0 : 1
}

/** Reads no more than the limit plus one byte. @throws {UsageError} */
async function read(file: string, workingFolder: string): Promise<string> {
  const stream = createReadStream(path.resolve(workingFolder, file), { end: FILE_LIMIT })
  const bytes = await buffer(stream).catch((error: unknown) => {
    throw new UsageError(`No se puede leer ${file}.`, { cause: error })
  })
  if (bytes.length > FILE_LIMIT) throw new UsageError(`${file} es demasiado grande.`)
  return bytes.toString('utf8')
}

const leavesIn = (lines: string) =>
  new Set(
    lines
      .trimEnd()
      .split('\n')
      .map((line) => leafHash(new TextEncoder().encode(line))),
  )

const factsOf = ({ proof, head, isOfEvent }: Checked) => ({
  event: proof.index,
  leaf: proof.leaf,
  included: head !== undefined,
  ...(head && { size: head.size, root: head.root }),
  ...(isOfEvent !== undefined && { isOfEvent }),
})

function describe({ proof: { index, leaf }, head, isOfEvent }: Checked): string {
  if (!head)
    return `Evento ${index}: NO COMPROBADO. La prueba no lleva a un punto de control firmado con esa llave.`
  const lines = [
    `Evento ${index}: CONSTA en la bitácora de ${head.size} eventos que se firmó; raíz ${head.root}`,
    `  hoja ${leaf}`,
  ]
  if (isOfEvent !== undefined)
    lines.push(
      isOfEvent
        ? '  es la de uno de los eventos dados'
        : '  NO ES la de ninguno de los eventos dados',
    )
  return lines.join('\n')
}
