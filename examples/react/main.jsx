import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Chat } from './chat.jsx'

/** The secret of the start address is traded for the token once; a reload finds it in the tab. */
async function tokenOf() {
  const secret = new URLSearchParams(location.hash.slice(1)).get('secret')
  history.replaceState(null, '', location.pathname)
  if (secret === null) return sessionStorage.getItem('token')
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch('/v1/exchange', {
    method: 'POST',
    headers,
    body: JSON.stringify({ secret }),
  })
  if (!answer.ok) return null
  const { token } = await answer.json()
  sessionStorage.setItem('token', token)
  return token
}

function App({ token }) {
  const [isOpen, setOpen] = useState(true)
  return (
    <main>
      <button onClick={() => setOpen(!isOpen)}>{isOpen ? 'Leave' : 'Come back'}</button>
      {isOpen && <Chat token={token} />}
    </main>
  )
}

const token = await tokenOf()
createRoot(document.getElementById('root')).render(
  <StrictMode>
    {token === null ? (
      <p>Start the example again, and open the address it prints.</p>
    ) : (
      <App token={token} />
    )}
  </StrictMode>,
)
