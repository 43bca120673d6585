//! Who reads a catalog through the endpoint.

use serde_json::{Value, json};

use crate::Outcome;
use crate::http::Connection;
use crate::request::{Asked, Era};

pub struct Reader {
    connection: Connection,
    port: u16,
    token: String,
}

impl Reader {
    pub async fn at(port: u16, token: &str) -> Outcome<Self> {
        Ok(Self { connection: Connection::open(port).await?, port, token: token.to_owned() })
    }

    /// The ids of all that a search finds, page by page.
    pub async fn search(&mut self, asked: &Value) -> Outcome<Vec<String>> {
        let (mut ids, mut asked) = (Vec::new(), asked.clone());
        asked["limit"] = 200.into();
        loop {
            let page = self.call("search_things", &asked).await?;
            let things = page["things"].as_array().ok_or("no things")?;
            ids.extend(things.iter().filter_map(|thing| thing["id"].as_str().map(str::to_owned)));
            match page.get("next_cursor") {
                Some(cursor) => asked["cursor"] = cursor.clone(),
                None => return Ok(ids),
            }
        }
    }

    /// What is known of a thing, its whole text in `body`.
    pub async fn thing(&mut self, id: &str) -> Outcome<Value> {
        let mut thing = self.call("get_thing", &json!({ "id": id })).await?;
        let mut next = thing["next_offset"].take();
        let mut body = thing["body"].as_str().unwrap_or_default().to_owned();
        while !next.is_null() {
            let mut page = self.call("get_thing", &json!({ "id": id, "offset": next })).await?;
            body.push_str(page["body"].as_str().unwrap_or_default());
            next = page["next_offset"].take();
        }
        thing["body"] = body.into();
        Ok(thing)
    }

    async fn call(&mut self, tool: &str, arguments: &Value) -> Outcome<Value> {
        let request = Asked::call(tool, arguments).request(Era::Modern, self.port, &self.token);
        let reply = self.connection.exchange(&request).await?;
        let mut answer: Value = serde_json::from_str(reply.body)?;
        let result = &mut answer["result"];
        if result["isError"] == true {
            Err(reply.body.into())
        } else {
            Ok(result["structuredContent"].take())
        }
    }
}

/// The keys of a thing's copies.
pub fn keys(thing: &Value) -> Vec<String> {
    let references = thing["references"].as_array().map(Vec::as_slice).unwrap_or_default();
    references.iter().filter_map(|reference| reference["key"].as_str().map(str::to_owned)).collect()
}
