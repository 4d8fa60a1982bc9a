import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readUpload } from '#app/http/forms.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { type VerifiedUpload, verifyUpload } from '#server/features/verification/verify-upload.ts'

export const NO_FILE = 'Elija el archivo PDF que quiere verificar.'

/**
 * The verdict about the file of a form; undefined when none was chosen. Nothing of it is kept.
 *
 * @throws {Problem} see `readUpload` and `verifyUpload`
 */
export async function judgeUpload(
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<VerifiedUpload | undefined> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await readUpload(request, context, z.object({}), async (_, file) => {
    if (file.name === '') return undefined
    const fileName = FileName.parse(file.name)
    return verifyUpload(system, actor, { fileName, content: file.chunks })
  })
  return form.ok ? form.value : undefined
}
