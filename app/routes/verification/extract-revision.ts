import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readUpload } from '#app/http/forms.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import { admitPublicUpload } from '#server/features/verification/admit-public-upload.ts'
import {
  ExtractSignedRevision,
  extractSignedRevision,
} from '#server/features/verification/extract-signed-revision.ts'
import { fileOnce } from './report-answer.ts'

const Fields = ExtractSignedRevision.pick({ signature: true })

/**
 * Returns the signed revision of the uploaded file as a download; undefined without a file.
 *
 * @throws {Problem} see `admitPublicUpload`, `readUpload` and `extractSignedRevision`
 */
export async function revisionOfUpload(
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<Response | undefined> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { isPaced, leave } = admitPublicUpload(system, actor)
  let isStreaming = false
  try {
    const form = await readUpload(
      request,
      context,
      z.object({ signature: z.unknown() }),
      async (typed, file) => {
        if (file.name === '') return undefined
        const { signature } = Fields.catch({ signature: 9999 }).parse(typed)
        const fileName = FileName.parse(file.name)
        const { signal } = request
        const input = { fileName, signature, content: file.chunks, onEnd: leave, signal }
        const { size, content } = await extractSignedRevision(system, actor, input)
        isStreaming = true
        const name = `${fileName.replace(/\.pdf$/i, '')} firma ${signature}.pdf`
        return fileOnce(content, { name, type: 'application/pdf', size })
      },
      { isPaced },
    )
    return form.ok ? form.value : undefined
  } finally {
    // The file of an answer occupies the disk until the client has read it.
    if (!isStreaming) leave()
  }
}
