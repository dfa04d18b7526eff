// For a server with a fault of ours in it: a promise is rejected that nobody handles.
process.on('SIGUSR2', () => void Promise.reject(new Error('nobody listens to this')))
