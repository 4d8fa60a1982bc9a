import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import type { SmallFile } from '#app/http/body.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FormErrors, readUpload } from '#app/http/forms.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { type VerifiedUpload, verifyUpload } from '#server/features/verification/verify-upload.ts'

/** Where the form says why the file was refused. */
export const errorsOf = ({
  status,
  sentence,
}: {
  status: number
  sentence: string
}): FormErrors => ({
  [status === 413 || status === 422 || status === 404 ? 'file' : 'form']: [sentence],
})

export const NO_FILE = 'Elija el archivo PDF que quiere verificar.'

/** Of a field where no file was chosen the browser sends one without a name. */
const chosen = (file: SmallFile | undefined) => (file?.name ? file.bytes : undefined)

/**
 * The verdict about the file of a form, with the constancia that was sent with it; undefined when no file was
 * chosen. Nothing of them is kept.
 *
 * @throws {Problem} see `readUpload` and `verifyUpload`
 */
export async function judgeUpload(
  request: Request,
  context: Readonly<RouterContextProvider>,
  options: { withPictures?: boolean } = {},
): Promise<VerifiedUpload | undefined> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await readUpload(
    request,
    context,
    z.object({}),
    async (_, file, smallFiles) => {
      if (file.name === '') return undefined
      const fileName = FileName.parse(file.name)
      const constancia = async () => chosen((await smallFiles).get('constancia'))
      return verifyUpload(system, actor, { fileName, content: file.chunks, constancia, ...options })
    },
    { smallFiles: 1 },
  )
  return form.ok ? form.value : undefined
}
