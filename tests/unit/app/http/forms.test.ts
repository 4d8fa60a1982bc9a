import { createSecretKey } from 'node:crypto'
import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { wipeFiles } from '#app/http/body.ts'
import { actorContext, browserContext, entriesContext, systemContext } from '#app/http/context.ts'
import { csrfTokenFor } from '#app/http/csrf.ts'
import {
  type ReadForm,
  readForm,
  readUpload,
  readUploads,
  typedIn,
  UploadedFile,
} from '#app/http/forms.ts'
import type { System } from '#server/system.ts'
import { stranger } from '#tests/support/builders.ts'
import { fastest } from '#tests/support/fastest.ts'

function aContext(): RouterContextProvider {
  const context = new RouterContextProvider()
  const settings = { csrfKey: createSecretKey(new Uint8Array(32).fill(1)) }
  context.set(systemContext, { settings } as unknown as System)
  context.set(actorContext, stranger())
  context.set(browserContext, { id: 'a browser', isNew: false })
  return context
}

function aForm(fields: Record<string, string>): Request {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('key', new File(['la clave'], 'e.key'))
  return new Request('http://localhost/', { method: 'POST', body })
}

/** A schema that keeps hold of the bytes that it was shown. */
function holding(isTaken: boolean) {
  const held: Uint8Array[] = []
  const key = UploadedFile.refine(({ bytes }) => held.push(bytes) > 0 && isTaken)
  return { held, schema: z.object({ key }) }
}

const isZero = (bytes: Uint8Array | undefined) => bytes?.every((byte) => byte === 0)

test('the small files of a form that is refused are overwritten, of one that is taken not', async () => {
  const context = aContext()
  const form = () => aForm({ csrf: csrfTokenFor(context) })
  const refused = holding(false)
  expect(await readForm(form(), context, refused.schema)).toMatchObject({ ok: false })
  expect(isZero(refused.held[0])).toBe(true)
  const taken = holding(true)
  expect(await readForm(form(), context, taken.schema)).toMatchObject({ ok: true })
  expect(Buffer.from(taken.held[0] ?? []).toString()).toBe('la clave')
})

test('so are those of a form from elsewhere', async () => {
  const { held, schema } = holding(true)
  const wiped: number[] = []
  const fill = Uint8Array.prototype.fill
  Uint8Array.prototype.fill = function (...asked) {
    wiped.push(this.length)
    return fill.apply(this, asked)
  }
  try {
    await expect(readForm(aForm({ csrf: 'x' }), aContext(), schema)).rejects.toMatchObject({
      code: 'cross-site',
    })
  } finally {
    Uint8Array.prototype.fill = fill
  }
  expect(held).toEqual([])
  expect(wiped).toContain('la clave'.length)
})

test('the token of a form is its field csrf, wherever it stands', async () => {
  const context = aContext()
  const csrf = csrfTokenFor(context)
  const schema = z.object({ key: UploadedFile, name: z.string() })
  const read = (fields: Record<string, string>) => readForm(aForm(fields), context, schema)
  expect(await read({ name: 'Inés', csrf })).toMatchObject({ ok: true, value: { name: 'Inés' } })
  await expect(read({ name: csrf, csrf: 'x' })).rejects.toMatchObject({ code: 'cross-site' })
})

test('texts stay, files become zeros', () => {
  const bytes = Uint8Array.of(1, 2)
  wipeFiles([
    ['title', 'Escritura'],
    ['key', { name: 'e.key', bytes }],
  ])
  expect(bytes).toEqual(new Uint8Array(2))
})

test('form: a refused form returns what was typed, except passwords', async () => {
  const context = aContext()
  const notice = 'Aviso de privacidad.\r\n'.repeat(2_000)
  const form = aForm({ csrf: csrfTokenFor(context), notice, password: 'secreta' })
  const schema = z.object({ notice: z.string().max(20_000) })
  const read = await readForm(form, context, schema)
  expect(read).toMatchObject({ ok: false, values: { notice } })
  expect(read).not.toHaveProperty('values.password')
})

test('form: values that no page sends are refused in Spanish, and messages of a schema are kept', async () => {
  const context = aContext()
  const fields = { csrf: csrfTokenFor(context), consent: 'on', at: 'x', name: '' }
  const schema = z.object({
    consent: z.literal('yes'),
    at: z.coerce.number(),
    missing: z.string(),
    name: z.string().min(1, 'Escriba el nombre.'),
  })
  const read = await readForm(aForm(fields), context, schema)
  const sentence = ['Este dato no es válido. Revíselo.']
  expect(!read.ok && read.errors).toEqual({
    ...{ consent: sentence, at: sentence, missing: sentence },
    name: ['Escriba el nombre.'],
  })
})

function urlencoded(fields: [string, string][]): Request {
  return new Request('http://localhost/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
}

test('form: what was sent is kept for the page, unless a file is part of it', async () => {
  const context = aContext()
  const fields: [string, string][] = [
    ['csrf', csrfTokenFor(context)],
    ['name', 'Ana'],
  ]
  await readForm(aForm(Object.fromEntries(fields)), context, z.unknown())
  expect(context.get(entriesContext)).toBeNull()
  await readForm(urlencoded(fields), context, z.unknown())
  expect(context.get(entriesContext)).toEqual(fields)
})

test('form: a field has at most eight sentences', async () => {
  const context = aContext()
  const refused = z.string().superRefine((_, found) => {
    for (let at = 1; at <= 9; at += 1) found.addIssue(`Razón ${at}.`)
  })
  const form = urlencoded([
    ['csrf', csrfTokenFor(context)],
    ['a', 'x'],
  ])
  const read = await readForm(form, context, z.object({ a: refused }))
  expect(!read.ok && read.errors.a).toEqual(
    Array.from({ length: 8 }, (_, at) => `Razón ${at + 1}.`),
  )
})

/** A form in which one name stands `count` times. */
async function readRepeated(count: number) {
  const context = aContext()
  const fields = Array.from({ length: count }, (): [string, string] => ['a', 'b'])
  const form = urlencoded([['csrf', csrfTokenFor(context)], ...fields])
  const schema = z.object({ a: z.array(z.string()) })
  return await readForm(form, context, schema, { maxFields: count + 1 })
}

test('a field that comes many times takes no longer for each than one that comes few times', async () => {
  expect(await readRepeated(3)).toEqual({ ok: true, value: { a: ['b', 'b', 'b'] } })
  const few = await fastest(() => readRepeated(4_000))
  const many = await fastest(() => readRepeated(16_000))
  // Four times as many: about 4 when each costs the same, 16 when each costs as much as all before it.
  expect(many / few).toBeLessThan(9)
})

test('a field called like a property of every object is a field', async () => {
  const context = aContext()
  const form = urlencoded([
    ['csrf', csrfTokenFor(context)],
    ['__proto__', 'a'],
    ['__proto__', 'b'],
    ['constructor', 'c'],
  ])
  const read = await readForm(form, context, z.unknown())
  expect(read.ok && Object.entries(read.value as object)).toEqual([
    ['__proto__', ['a', 'b']],
    ['constructor', 'c'],
  ])
})

test('form without files: its page gets what was typed; one that was not read has nothing', async () => {
  const context = aContext()
  expect(typedIn(context)).toEqual({})
  const csrf = csrfTokenFor(context)
  const form = urlencoded([
    ['csrf', csrf],
    ['name', 'Ana'],
  ])
  await readForm(form, context, z.unknown())
  expect(typedIn(context)).toEqual({ csrf, name: 'Ana' })
})

test('form with a file: its page gets nothing of what was typed', async () => {
  const context = aContext()
  await readForm(aForm({ csrf: csrfTokenFor(context), name: 'Ana' }), context, z.unknown())
  expect(typedIn(context)).toEqual({})
})

test('form: NUL in a field is refused, whatever the schema', async () => {
  const context = aContext()
  const form = urlencoded([
    ['csrf', csrfTokenFor(context)],
    ['name', 'Ana\0'],
  ])
  await expect(readForm(form, context, z.unknown())).rejects.toMatchObject({ code: 'bad-request' })
})

type ReadFile = (
  request: Request,
  context: RouterContextProvider,
  schema: z.ZodType<{ name: string }>,
  accept: (value: { name: string }, file: { chunks: AsyncIterable<Uint8Array> }) => Promise<number>,
) => Promise<ReadForm<number>>

const first: ReadFile = (request, context, schema, accept) =>
  readUploads(request, context, schema, 2, async (value, files) => {
    for await (const file of files) return await accept(value, file)
    return expect.unreachable('there is a file')
  })

test.each<[string, ReadFile]>([
  ['one large file', readUpload],
  ['many large files', first],
])(
  'form with %s: the file is read only if the form is ours and its fields are valid',
  async (_, read) => {
    const context = aContext()
    const csrf = csrfTokenFor(context)
    const schema = z.object({ name: z.string().min(2, 'Escriba el nombre.') })
    const accepted: string[] = []
    const sent = (fields: Record<string, string>) =>
      read(aForm(fields), context, schema, async ({ name }, { chunks }) => {
        const bytes = Buffer.concat(await Array.fromAsync(chunks))
        accepted.push(`${name}: ${bytes}`)
        return bytes.length
      })
    expect(await sent({ csrf, name: 'Ana' })).toEqual({ ok: true, value: 8 })
    expect(await sent({ csrf, name: 'A' })).toEqual({
      ok: false,
      errors: { name: ['Escriba el nombre.'] },
      values: { name: 'A' },
    })
    await expect(sent({ csrf: 'x', name: 'Ana' })).rejects.toMatchObject({ code: 'cross-site' })
    expect(accepted).toEqual(['Ana: la clave'])
  },
)

test.each([
  ['a text', 'x'],
  ['nothing', undefined],
  ['null', null],
  ['something without bytes', { name: 'e.key' }],
])('%s in place of a file: is refused in Spanish', (_, value) => {
  const read = UploadedFile.safeParse(value)
  expect(read.success).toBe(false)
  expect(read.error?.issues.map(({ message }) => message)).toEqual(['Elija un archivo.'])
})
