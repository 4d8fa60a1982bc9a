import { z } from 'zod'
import { withSentence } from '#app/http/with-sentence.ts'
import { LONGEST_TITLE } from '#server/domain/documents/document.ts'
import { UploadDocument } from '#server/features/documents/upload-document.ts'
import { titleTooLong } from '#server/words/documents.ts'
import { instrumentFields, instrumentIn } from './instrument-form.ts'

export const NO_TITLE = `Escriba el título del documento, hasta ${LONGEST_TITLE} caracteres.`

/** A title with the sentence of what is wrong with it. */
export const titleField = <S extends z.ZodType<string>>(schema: S) =>
  withSentence(schema, (title) => {
    const length = typeof title === 'string' ? title.trim().length : 0
    return length > LONGEST_TITLE ? titleTooLong(length, LONGEST_TITLE) : NO_TITLE
  })

/** The fields of a document that is uploaded, without its file. */
export const documentFields = {
  title: titleField(UploadDocument.shape.title.or(z.string().trim().max(0))),
  kind: withSentence(UploadDocument.shape.kind, 'Elija el tipo de documento.').default('other'),
  ...instrumentFields,
}

type Typed = { [Name in keyof typeof documentFields]: z.output<(typeof documentFields)[Name]> }

/** The box of `KnownFiles`, which only some forms have. */
export const AGAIN = z
  .literal('on')
  .optional()
  .transform((value) => value === 'on')

/** Several files take their names as titles: the title is null if none was typed. */
export const documentIn = ({ title, kind, ...rest }: Typed, context: z.RefinementCtx) => ({
  title: title || null,
  kind,
  instrument: instrumentIn(rest, context),
})
