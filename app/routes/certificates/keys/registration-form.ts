import { z } from 'zod'
import { UploadedFile } from '#app/http/forms.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { RegisterYubikey } from '#server/features/yubikeys/register-yubikey.ts'

const { serial, model, firmware, formFactor, once } = RegisterYubikey.shape

const orNothing = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' || value === undefined ? null : value), schema)

/** A file that may be left out. */
const optionalFile = UploadedFile.transform(({ bytes }) => bytes)
  .optional()
  .default(new Uint8Array())

/** The two files of an attestation. */
export const attestationFiles = { statement: optionalFile, intermediate: optionalFile }

export const chosen = (files: readonly Uint8Array[]) => files.filter(({ length }) => length > 0)

/** The texts of a valid form, to fill it again: the files of a refused one have to be chosen anew. */
export const typedAgain = ({
  serial,
  model,
  firmware,
  formFactor,
}: z.output<typeof RegistrationForm>): Record<string, string> => ({
  ...{ serial: serial ?? '', model, firmware: firmware ?? '', formFactor: formFactor ?? '' },
})

export const RegistrationForm = z
  .strictObject({
    serial: withSentence(
      orNothing(serial),
      'Escriba el número de serie con cifras, como está grabado en la llave.',
    ),
    model: withSentence(
      model,
      'Escriba el modelo, hasta 60 caracteres. Por ejemplo: YubiKey 5C NFC.',
    ),
    firmware: withSentence(
      orNothing(firmware),
      'Escriba la versión con tres números y puntos, como 5.4.3, o deje el campo vacío.',
    ),
    formFactor: withSentence(orNothing(formFactor), 'Elija una forma de la lista.'),
    once,
    ...attestationFiles,
  })
  .transform(({ statement, intermediate, ...typed }) => ({
    ...typed,
    attestation: chosen([statement, intermediate]),
  }))
