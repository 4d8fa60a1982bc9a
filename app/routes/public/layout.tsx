import { Outlet } from 'react-router'
import { PublicFrame } from '#app/ui/frame/public-frame.tsx'

/** The public pages: no script but their own island. */
export default function PublicLayout() {
  return (
    <PublicFrame>
      <Outlet />
    </PublicFrame>
  )
}
