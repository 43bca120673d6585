//! An S3 server inside the test process, with one bucket.

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use stoa_store::blob::S3Config;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// The bucket's name.
const BUCKET: &str = "stoa";

/// A bucket, which ends with the value.
#[derive(Debug)]
pub struct TestBucket {
    /// How it is reached.
    pub config: S3Config,
    server: JoinHandle<()>,
    /// Where its server keeps the bytes.
    _folder: TempDir,
}

impl TestBucket {
    /// Starts a server with an empty bucket.
    ///
    /// # Panics
    /// When it can't.
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(folder.path().join(BUCKET)).expect("a folder for the bucket");
        let mut service =
            S3ServiceBuilder::new(FileSystem::new(folder.path()).expect("a server on the folder"));
        service.set_auth(SimpleAuth::from_single("id", "secret"));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let endpoint = format!("http://{}", listener.local_addr().expect("its address"));
        let config = S3Config {
            endpoint: Some(endpoint),
            bucket: BUCKET.to_owned(),
            region: "us-east-1".to_owned(),
            access_key: "id".to_owned(),
            secret_key: "secret".to_owned(),
            prefix: "production/blobs".to_owned(),
        };
        Self { config, server: tokio::spawn(serve(listener, service.build())), _folder: folder }
    }
}

impl Drop for TestBucket {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(listener: TcpListener, service: S3Service) {
    while let Ok((socket, _)) = listener.accept().await {
        let service = service.clone();
        tokio::spawn(async move {
            let server = auto::Builder::new(TokioExecutor::new());
            let _closed = server.serve_connection(TokioIo::new(socket), service).await;
        });
    }
}
