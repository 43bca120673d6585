//! Opening the storage.

use std::fmt;
use std::path::Path;

use opendal::Operator;
use opendal::layers::RetryLayer;
use opendal::services::{Fs, S3};

use super::{BlobError, Blobs};

/// How often a request to S3 is tried, with growing pauses.
const TRIES: usize = 4;

/// A bucket, or a part of one.
#[derive(Clone, PartialEq, Eq)]
pub struct S3Config {
    /// The server's URL where it is not AWS; buckets are then named in the path.
    pub endpoint: Option<String>,
    /// The bucket.
    pub bucket: String,
    /// The region, `us-east-1` for most other servers.
    pub region: String,
    /// The access key's id.
    pub access_key: String,
    /// The access key's secret.
    pub secret_key: String,
    /// What every key begins with, without a final slash; empty for the whole bucket.
    pub prefix: String,
}

impl fmt::Debug for S3Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { endpoint, bucket, region, prefix, .. } = self;
        write!(f, "S3Config({endpoint:?}, {region}, {bucket}/{prefix})")
    }
}

impl Blobs {
    /// Blobs in `folder`, made if it isn't there: the blobs below `objects`, half-written ones in `incoming`.
    ///
    /// # Errors
    /// [`BlobError::Storage`] when the folder can't be made.
    pub fn folder(folder: &Path) -> Result<Self, BlobError> {
        let (objects, incoming) = (folder.join("objects"), folder.join("incoming"));
        let place =
            Fs::default().root(&objects.to_string_lossy()).atomic_write_dir(&incoming.to_string_lossy());
        Ok(Self { operator: Operator::new(place)? })
    }

    /// Blobs in S3. Nothing is asked of the server yet.
    ///
    /// # Errors
    /// [`BlobError::Storage`] when the configuration makes no sense.
    pub fn s3(config: &S3Config) -> Result<Self, BlobError> {
        let mut place = S3::default()
            .bucket(&config.bucket)
            .region(&config.region)
            .access_key_id(&config.access_key)
            .secret_access_key(&config.secret_key)
            .root(&config.prefix)
            // Only what is configured counts: no profile of whoever runs the server, no metadata service.
            .disable_config_load()
            .disable_ec2_metadata();
        place = match &config.endpoint {
            Some(endpoint) => place.endpoint(endpoint),
            None => place.enable_virtual_host_style(),
        };
        let retry = RetryLayer::new().with_max_times(TRIES).with_jitter();
        Ok(Self { operator: Operator::new(place)?.layer(retry) })
    }
}
