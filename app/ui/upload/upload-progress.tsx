import type { Progress } from './use-uploads.ts'

/** Which file is on its way. */
export function UploadProgress({ progress }: { progress: Progress | undefined }) {
  return (
    <p role="status">
      {progress && `Subiendo ${progress.place} de ${progress.of}: ${progress.name}`}
    </p>
  )
}
