import { ErrorPage } from '#app/ui/frame/error-page.tsx'

export const meta = () => [{ title: 'Página no encontrada · Rúbrica' }]

export function loader() {
  throw new Response(null, { status: 404 })
}

export const action = loader

export default function NotFound() {
  return null
}

export function ErrorBoundary({ error }: { error: unknown }) {
  return <ErrorPage error={error} home="/" />
}
