import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import type { SmallFile } from '#app/http/body.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FormErrors, readUpload } from '#app/http/forms.ts'
import type { Refused } from '#app/http/problems.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { admitPublicUpload } from '#server/features/verification/admit-public-upload.ts'
import { type VerifiedUpload, verifyUpload } from '#server/features/verification/verify-upload.ts'

/** The form's errors for a refused file. */
export const errorsOf = ({
  init: { status },
  sentence,
}: Pick<Refused, 'init' | 'sentence'>): FormErrors => ({
  [status === 413 || status === 422 || status === 404 ? 'file' : 'form']: [sentence],
})

export const NO_FILE = 'Elija el archivo PDF que quiere verificar.'

/** Browsers send an unnamed file for an empty file field. */
const chosen = (file: SmallFile | undefined) => (file?.name ? file.bytes : undefined)

/**
 * Verifies the uploaded file, with its constancia if one was sent; undefined without a file. Neither is
 * stored.
 *
 * @throws {Problem} see `admitPublicUpload`, `readUpload` and `verifyUpload`
 */
export async function judgeUpload(
  request: Request,
  context: Readonly<RouterContextProvider>,
  options: { withPictures?: boolean } = {},
): Promise<VerifiedUpload | undefined> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { isPaced, leave } = admitPublicUpload(system, actor)
  try {
    const form = await readUpload(
      request,
      context,
      z.object({}),
      async (_, file, smallFiles) => {
        if (file.name === '') return undefined
        const fileName = FileName.parse(file.name)
        const constancia = async () => chosen((await smallFiles).get('constancia'))
        const { signal } = request
        const input = { fileName, content: file.chunks, constancia, signal, ...options }
        return verifyUpload(system, actor, input)
      },
      { smallFiles: 1, isPaced },
    )
    return form.ok ? form.value : undefined
  } finally {
    leave()
  }
}
