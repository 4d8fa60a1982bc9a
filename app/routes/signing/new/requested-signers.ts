import type { z } from 'zod'
import type { FormErrors } from '#app/http/forms.ts'
import { characterOfUser, partyFields } from '#app/routes/signing/sessions/session-forms.ts'
import { UserId } from '#server/domain/ids.ts'
import { RequestedSigner } from '#server/features/signing-sessions/session-data.ts'
import { isUntouched, type SignerRow, stepsOf } from './signer-rows.ts'

type Asked = { signers: RequestedSigner[]; errors: FormErrors }

/**
 * The signers that the rows ask for, and what is wrong with them, by field. An untouched row of an external person is ignored.
 *
 * @param characterless ids of the users who sign by their office, without a declared character
 */
export function requestedSigners(
  rows: readonly SignerRow[],
  characterless: ReadonlySet<string>,
): Asked {
  const errors: FormErrors = {}
  const signers: RequestedSigner[] = []
  for (const { row, step } of meantRows(rows)) {
    const read = <S extends z.ZodType>(field: keyof SignerRow, schema: S) => {
      const parsed = schema.safeParse(row[field])
      if (!parsed.success) errors[`${field}-${row.key}`] = [parsed.error.issues[0]?.message ?? '']
      return parsed.data as z.output<S> | undefined
    }
    if (row.kind === 'user') {
      const userId = UserId.safeParse(row.userId).data
      if (!userId) errors[`userId-${row.key}`] = [NO_PERSON]
      const character = read('character', characterOfUser)
      if (userId && character === null && !characterless.has(userId))
        errors[`character-${row.key}`] = [NO_CHARACTER]
      push({ kind: 'user', userId, character, step })
    } else {
      const { name, rfc, email, character } = partyFields
      const party = {
        ...{ name: read('name', name), rfc: read('rfc', rfc) },
        ...{ email: read('email', email), character: read('character', character) },
      }
      push({ kind: 'external', ...party, step })
    }
  }
  return { signers, errors }

  function push(asked: unknown) {
    const signer = RequestedSigner.safeParse(asked)
    if (signer.success) signers.push(signer.data)
  }
}

/** The rows that are not ignored, with their steps as the page shows them, but without gaps. */
function meantRows(rows: readonly SignerRow[]): { row: SignerRow; step: number }[] {
  const steps = stepsOf(rows)
  const meant = rows.flatMap((row, index) =>
    row.given !== '' || row.kind === 'user' || !isUntouched(row)
      ? [{ row, step: steps[index] ?? 1 }]
      : [],
  )
  const taken = [...new Set(meant.map(({ step }) => step))]
  return meant.map(({ row, step }) => ({ row, step: taken.indexOf(step) + 1 }))
}

const NO_PERSON = 'Elija a una persona de la notaría, o quite a este firmante.'
const NO_CHARACTER =
  'Escriba en qué carácter firma: solo los notarios y los abogados de la notaría firman sin él.'
