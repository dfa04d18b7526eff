import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Chat } from './chat.jsx'

/** The key of the address stays in the tab, so that a reload finds it and no history shows it. */
function keyOf() {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  history.replaceState(null, '', location.pathname)
  if (key !== null) sessionStorage.setItem('key', key)
  return sessionStorage.getItem('key')
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

const token = keyOf()
createRoot(document.getElementById('root')).render(
  <StrictMode>
    {token === null ? (
      <p>Start the example again, and open the address it prints.</p>
    ) : (
      <App token={token} />
    )}
  </StrictMode>,
)
